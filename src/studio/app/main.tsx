import { render } from "preact";
import "./styles/studio.css";
import { App } from "./app.tsx";
import { ignoreStrayClicks } from "./controls/double-click.ts";
import { keepFocus } from "./controls/focus.ts";
import { follow } from "./routes.ts";
import { arrive, watchOtherTabs } from "./session.ts";

render(<App />, document.body);
follow();
ignoreStrayClicks();
keepFocus();
watchOtherTabs();
void arrive();
