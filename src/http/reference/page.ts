import { OPENAPI_PATH } from "../../contract/routes.ts";
import { ICON } from "../../html/frame.ts";
import { html } from "../../html/html.ts";

/** The hue of our own pages, put where Scalar looks for its colours. */
const STYLE = `
.light-mode{--h:55;--scalar-background-1:oklch(99.2% .004 var(--h));--scalar-background-2:oklch(97.2% .011 var(--h));--scalar-background-3:oklch(93.5% .018 var(--h));--scalar-background-accent:oklch(93% .04 var(--h));--scalar-color-1:oklch(25% .025 var(--h));--scalar-color-2:oklch(42% .03 var(--h));--scalar-color-3:oklch(47% .03 var(--h));--scalar-color-accent:oklch(48% .13 var(--h));--scalar-color-blue:oklch(48% .13 var(--h));--scalar-color-orange:oklch(50% .16 35);--scalar-border-color:oklch(88% .022 var(--h))}
.dark-mode{--h:55;--scalar-background-1:oklch(19% .016 var(--h));--scalar-background-2:oklch(23.5% .02 var(--h));--scalar-background-3:oklch(29% .025 var(--h));--scalar-background-accent:oklch(31% .055 var(--h));--scalar-color-1:oklch(95% .012 var(--h));--scalar-color-2:oklch(80% .022 var(--h));--scalar-color-3:oklch(74% .025 var(--h));--scalar-color-accent:oklch(80% .11 var(--h));--scalar-color-blue:oklch(80% .11 var(--h));--scalar-border-color:oklch(36% .03 var(--h))}
:root{--scalar-font:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;--scalar-font-code:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
h1{font-family:ui-serif,Georgia,"Times New Roman",serif}
section[tabindex="-1"]:focus{outline:none}
`;

/** Everything that would leave this server, or keep the key that is typed in, is switched off. */
const CONFIGURATION = {
  url: OPENAPI_PATH,
  theme: "none",
  customCss: STYLE,
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  defaultOpenAllTags: true,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "direct",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  authentication: { preferredSecurityScheme: "key" },
};

/** A page that Scalar fills. It finds its configuration in an attribute, so that no script stands in the page. */
export function referencePage(scriptPath: string): string {
  return String(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Vitrine API reference</title><meta name="robots" content="noindex"><link rel="icon" href="${ICON}"></head><body><noscript>The API reference needs JavaScript. The same is described at <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>.</noscript><script id="api-reference" type="application/json" data-configuration="${JSON.stringify(CONFIGURATION)}"></script><script src="${scriptPath}"></script></body></html>`,
  );
}
