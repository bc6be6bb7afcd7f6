import { describe, expect, test } from "bun:test";
import { TRY_MS } from "../../src/hooks/post.ts";
import { SETTINGS } from "../../src/settings.ts";
import { EXPIRY_NOTICE_DAYS, LEASE_MS, LOG_LIFE_MS, RETRIES_MS } from "../../src/store/hook-queue.ts";
import { HOOK_EVENTS, TEST_EVENT } from "../../src/store/hooks.ts";
import { code, fencesOf, readFile, sectionOf } from "./markdown.ts";

const page = readFile("docs/hooks.md");

describe("docs/hooks.md", () => {
  test("lists exactly the events", () => {
    const rows = [...sectionOf(page, "What is sent").matchAll(/^\| (`[\w.]+`) \| .+ \| `userId`/gm)];
    expect(rows.map(([, name]) => code(name ?? ""))).toEqual([...HOOK_EVENTS, TEST_EVENT]);
    const [longest, middle, shortest] = EXPIRY_NOTICE_DAYS.toReversed();
    expect(page).toContain(`expires in ${longest} days, in ${middle} and in ${shortest}.`);
  });

  test("shows a message that is JSON", () => {
    const [message = ""] = fencesOf(page, "json");
    expect(Object.keys(JSON.parse(message) as object)).toEqual(["type", "timestamp", "data"]);
  });

  test("gives the times that the program has", () => {
    const section = sectionOf(page, "When it is sent");
    expect(section).toContain(`\`HOOK_DELAY\` (${SETTINGS.hookDelay.fallback} seconds)`);
    expect(section).toContain(`A try may take ${TRY_MS / 1000} seconds`);
    expect(section).toContain(`for ${LEASE_MS / 1000} seconds at most`);
    expect(section).toContain(`for ${LOG_LIFE_MS / 86_400_000} days`);
    const [seconds, ...minutes] = RETRIES_MS.map((pause) => (pause < 60_000 ? pause / 1000 : pause / 60_000));
    const hours = minutes.slice(2).map((it) => it / 60);
    expect(section).toContain(
      `after ${seconds} seconds, ${minutes[0]} minutes, ${minutes[1]} minutes, ${hours[0]}, ${hours[1]} and ${hours[2]} hours`,
    );
  });
});
