import { afterAll, beforeAll, describe } from "bun:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { withoutTool } from "./missing-tool.ts";
import { BROWSER } from "./visitors.ts";

/** The same browser without windows, where there is one, comes first: it opens a page in a third of the time. */
const NAMES = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

const executable = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);

/** A test never leaves the machine: whatever a browser does by itself is switched off. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A frame in a sandbox would be a process of its own, and a key that is pressed while one is replaced can get lost.
  "--disable-site-isolation-trials",
];

/** How long a page may take for what a test waits for. On a machine that others keep busy, all of it takes long. */
const PATIENCE_MS = 90_000;

export type Scheme = "light" | "dark";

export interface Visitor extends AsyncDisposable {
  readonly page: Page;
  /** Every request of the page, and everything that it complained about. */
  readonly requests: string[];
  readonly complaints: string[];
}

export interface Options {
  readonly width?: number;
  readonly scheme?: Scheme;
  readonly javaScript?: boolean;
  /** Axe runs as a script, which the page's own policy would forbid. */
  readonly bypassPolicy?: boolean;
}

export type Open = (url: string, options?: Options) => Promise<Visitor>;

/** Tests in a real browser, which is looked for on the PATH. */
export function describeInBrowser(title: string, sentences: (open: Open) => void): void {
  if (executable === undefined) {
    withoutTool(title, `no browser on the PATH: ${NAMES.join(", ")}`, sentences);
    return;
  }
  describe(title, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executable, args: FLAGS });
    }, 300_000);
    afterAll(() => browser.close());

    sentences(async (url, options = {}) => {
      const context: BrowserContext = await browser.newContext({
        userAgent: BROWSER,
        viewport: { width: options.width ?? 390, height: 800 },
        colorScheme: options.scheme ?? "light",
        javaScriptEnabled: options.javaScript ?? true,
        bypassCSP: options.bypassPolicy ?? false,
      });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      const requests: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => void requests.push(request.url()));
      page.on("console", (message) => void complaints.push(message.text()));
      page.on("pageerror", (error) => void complaints.push(String(error)));
      page.on("dialog", (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(url);
      return { page, requests, complaints, [Symbol.asyncDispose]: () => context.close() };
    });
  });
}
