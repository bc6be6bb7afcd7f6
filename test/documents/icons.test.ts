import { expect, test } from "bun:test";
import { takenIcons } from "../../scripts/icons.ts";
import { ICONS } from "../../src/html/icons/icons.ts";
import { SERVICES } from "../../src/html/icons/services.ts";

test("the shapes of services are those of simple-icons (else: npm run icons)", async () => {
  const file = new URL("../../src/html/icons/taken.ts", import.meta.url);
  expect(await Bun.file(file).text()).toBe(takenIcons());
});

test("there are icons for more than sixty services, and for what is none", () => {
  expect(Object.keys(SERVICES).length).toBeGreaterThan(60);
  for (const name of [...Object.keys(SERVICES), "mail", "telephone", "web", "calendar", "music", "video"])
    expect(Object.keys(ICONS)).toContain(name);
});

test("no host stands for two services", () => {
  const hosts = Object.values(SERVICES).flat();
  expect(new Set(hosts).size).toBe(hosts.length);
});
