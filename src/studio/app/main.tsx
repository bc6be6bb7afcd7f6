import { render } from "preact";
import "./styles/studio.css";
import { App } from "./app.tsx";
import { ignoreStrayClicks } from "./controls/double-click.ts";
import { keepFocus } from "./controls/focus.ts";
import { follow } from "./routes.ts";
import { arrive, watchOtherTabs } from "./session.ts";
import { askBeforeItIsGone } from "./shown-once.ts";
import { followTranslations } from "./translations.ts";

render(<App />, document.body);
follow();
ignoreStrayClicks();
keepFocus();
watchOtherTabs();
askBeforeItIsGone();
followTranslations();
void arrive();
