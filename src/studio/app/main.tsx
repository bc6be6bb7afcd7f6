import { render } from "preact";
import "./styles/studio.css";
import { App } from "./app.tsx";
import { follow } from "./routes.ts";
import { arrive, watchOtherTabs } from "./session.ts";

render(<App />, document.body);
follow();
watchOtherTabs();
void arrive();
