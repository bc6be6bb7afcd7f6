import type { Page } from "playwright-core";
import type { Open, Options, Visitor } from "./browser.ts";
import { withValue } from "./edit-record.ts";
import { writtenRecord } from "./records.ts";
import { startTestStudio, type TestStudio } from "./studio.ts";

/** A record whose picture is on no other machine, so that a browser asks nobody for it. */
export function homelyRecord(number = 1): ReturnType<typeof writtenRecord> {
  return withValue(writtenRecord(number), "profile.avatarUrl.value", null) as ReturnType<
    typeof writtenRecord
  >;
}

/** The real studio with its real page, for a real browser, and so in real time. */
export function startPagedStudio(
  records: readonly unknown[] = [homelyRecord(1)],
  options: { readonly hookPrivate?: boolean } = {},
): Promise<TestStudio> {
  return startTestStudio({ ...options, records, withPage: true, now: Date.now });
}

/** An owner who has just come in by an invitation, and has put off making a passkey. */
export async function enterAsOwner(open: Open, studio: TestStudio, options: Options = {}): Promise<Visitor> {
  const visitor = await open(await studio.invitation(), options);
  await visitor.page.getByRole("button", { name: "Come in" }).click();
  await visitor.page.getByRole("button", { name: "Later" }).click();
  await visitor.page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();
  return visitor;
}

/** Goes to a section by its link, which is behind a button on a narrow screen. */
export async function goTo(page: Page, section: string): Promise<void> {
  const menu = page.getByRole("button", { name: "Sections" });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole("link", { name: section, exact: true }).click();
  await page.getByRole("heading", { name: section, level: 1 }).waitFor();
}

export async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saved(page);
}

/** Waits until there is nothing left to save. The word "Saved" stands there for a moment only. */
export async function saved(page: Page): Promise<void> {
  await page.locator(".save-bar .primary").waitFor({ state: "detached" });
  await page.locator("[role=status]").getByText("Saved.", { exact: true }).waitFor({ state: "attached" });
}
