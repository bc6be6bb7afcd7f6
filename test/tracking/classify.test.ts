import { describe, expect, test } from "bun:test";
import { reasonNotToCount } from "../../src/tracking/classify.ts";
import { BROWSER, PERSON } from "../support/visitors.ts";

function reason(headers: Record<string, string>, method = "GET") {
  return reasonNotToCount(new Request("http://localhost/t/x", { headers, method }));
}

describe("a visit counts", () => {
  test.each([
    BROWSER,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 300.0.0.0",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
  ])("of %s", (agent) => {
    expect(reason({ "User-Agent": agent })).toBeUndefined();
  });

  test("of somebody who does not say with what", () => {
    expect(reason({})).toBeUndefined();
  });

  test("whatever else the browser sends along", () => {
    const headers = { ...PERSON, "Sec-Fetch-Dest": "document", "Sec-GPC": "1", "Save-Data": "on" };
    expect(reason(headers)).toBeUndefined();
  });
});

describe("a visit does not count", () => {
  test.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "GPTBot/1.2",
    "curl/8.5.0",
    "python-requests/2.32",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36",
  ])("of the robot %s", (agent) => {
    expect(reason({ "User-Agent": agent })).toBe("bot");
  });

  test.each([
    "WhatsApp/2.24.6.77 A",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "TelegramBot (like TwitterBot)",
    "Twitterbot/1.0",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  ])("of the preview by %s", (agent) => {
    expect(reason({ "User-Agent": agent })).toBe("preview");
  });

  test.each([
    [{ "Sec-Purpose": "prefetch" }, "prefetch"],
    [{ "Sec-Purpose": "prefetch;prerender" }, "prefetch"],
    [{ "Sec-Purpose": "prefetch;anonymous-client-ip" }, "prefetch"],
    [{ Purpose: "prefetch" }, "prefetch"],
    [{ "X-Moz": "prefetch" }, "prefetch"],
    [{ "X-Purpose": "preview" }, "preview"],
    [{ Purpose: "preview" }, "preview"],
  ] as const)("that is fetched ahead: %j", (headers, expected) => {
    expect(reason({ ...PERSON, ...headers })).toBe(expected);
  });

  test("that asks for the headers alone", () => {
    expect(reason(PERSON, "HEAD")).toBe("head");
  });
});
