import { expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page, Route } from "playwright-core";
import { pictureHashIn } from "../../../src/contract/pictures.ts";
import { describeInBrowser } from "../../support/browser.ts";
import { withValue } from "../../support/edit-record.ts";
import { Receiver } from "../../support/receiver.ts";
import {
  enterAsOwner,
  goTo,
  homelyRecord,
  save,
  saved,
  startPagedStudio,
} from "../../support/studio-visitor.ts";
import { until } from "../../support/until.ts";

setDefaultTimeout(300_000);

/** A picture that is broader than high: blue on the left, white in the middle, red on the right. */
async function broadPicture(page: Page) {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="300" height="300" fill="blue"/><rect x="300" width="300" height="300" fill="white"/><rect x="600" width="300" height="300" fill="red"/></svg>`;
  const png = await page.evaluate<string>(`(async () => {
    const picture = new Image();
    picture.src = "data:image/svg+xml," + encodeURIComponent(${JSON.stringify(drawing)});
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [900, 300];
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.toDataURL("image/png").split(",")[1];
  })()`);
  return { name: "me.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") };
}

/** The colour of a picture that is being cut, in the middle of its height. */
function colourAt(cutter: Locator, x: number): Promise<number[]> {
  return cutter.evaluate((canvas, x) => {
    const { data } = (
      canvas as unknown as {
        getContext(kind: string): { getImageData(...box: number[]): { data: number[] } };
      }
    )
      .getContext("2d")
      .getImageData(x, 320, 1, 1);
    return [...data.slice(0, 3)];
  }, x);
}

/** Does something while the studio cannot be reached, and waits until that is said. */
async function withoutNetwork(page: Page, act: () => Promise<void>): Promise<void> {
  await page.context().setOffline(true);
  await act();
  await page.getByRole("alert").getByText("The studio cannot be reached").waitFor();
  await page.context().setOffline(false);
}

describeInBrowser("in a browser, an owner", (open) => {
  test("makes a key that is shown once, replaces it, and ends it", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Keys");
    await page.getByLabel("Name").fill("My web site");
    await page.getByLabel("Expires").selectOption("In 90 days");
    await page.getByLabel("What is public").check();
    await page.getByText("Only some of it").click();
    await page.getByLabel("Jobs").check();
    await page.getByRole("button", { name: "Make a key" }).click();
    const secret = await page.locator(".secret code").first().textContent();
    const keys = () => studio.store.keys.of("person1@example.com");
    expect(await keys()).toMatchObject([{ name: "My web site", view: "public", paths: ["jobs"] }]);
    expect(secret).toStartWith("vitp_");
    expect(await page.locator(".secret code").last().textContent()).toContain(
      `Bearer ${secret}" https://links.example/user/jobs`,
    );
    await page.getByRole("button", { name: "I have copied it" }).click();
    expect(await page.content()).not.toContain(secret ?? "");

    await page.getByRole("button", { name: "Replace the key “My web site”" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
    await page.getByRole("heading", { name: "Your new key" }).waitFor();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "End the key “My web site”" }).first().click();
    await page.getByRole("button", { name: "End it" }).click();
    await page.getByRole("heading", { name: "Ended" }).waitFor();
    expect((await keys()).filter(({ revokedAt }) => revokedAt !== null)).toHaveLength(1);
  });

  test("who cannot replace a key, since it was ended elsewhere, finds it among those that are", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Keys");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByRole("button", { name: "I have copied it" }).click();
    const [key] = await studio.store.keys.of("person1@example.com");
    await studio.store.keys.revoke(key?.id ?? "");
    await page.getByRole("button", { name: /^Replace the key/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Replace" }).click();
    await dialog.getByText("The key is revoked. Make a new one instead.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Ended" }).waitFor();
    await page.getByText("No key works at the moment.").waitFor();
  });

  test("who presses twice to make a key makes one, and sees it", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    const names = async () => (await studio.store.keys.of("person1@example.com")).map(({ name }) => name);
    const copied = page.getByRole("button", { name: "I have copied it" });
    await goTo(page, "Keys");
    await page.getByLabel("Name").fill("By pointer");
    await page.getByRole("button", { name: "Make a key" }).click();
    // The form has moved down, and this is now where its button was.
    await copied.hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.getByRole("heading", { name: "Your new key “By pointer”" }).waitFor();
    await copied.click();
    await copied.waitFor({ state: "detached" });

    await page.getByLabel("Name").fill("By keyboard");
    await page.keyboard.press("Enter");
    await page.locator("h2:focus").getByText("Your new key “By keyboard”").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^End the key “By keyboard”/ }).waitFor();
    expect(await names()).toEqual(["By pointer", "By keyboard"]);
  });

  test("who goes elsewhere with a new key that is not copied finds it again, and another beside it", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page, complaints } = owner;
    const shown = () => page.locator(".minted h2").allTextContents();
    const make = async (name: string) => {
      await page.getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Make a key" }).click();
      await page.locator(".minted").getByText(name).waitFor();
    };
    await goTo(page, "Keys");
    await make("One");
    await make("Two");
    await goTo(page, "Jobs");
    await goTo(page, "Keys");
    expect(await shown()).toEqual(["Your new key “Two”", "Your new key “One”"]);
    expect(await page.evaluate<string>("document.activeElement.textContent")).toBe("Your new key “Two”");
    await page.close({ runBeforeUnload: true });
    await until("it is asked", () => complaints.some((complaint) => complaint.startsWith("dialog:")));

    await page.getByRole("button", { name: "I have copied it" }).first().click();
    await page.getByRole("button", { name: "End the key “One”" }).click();
    await page.getByRole("button", { name: "End it" }).click();
    await page.getByRole("heading", { name: "Ended" }).waitFor();
    expect(await shown()).toEqual([]);
  });

  test("who signs out leaves no new key behind, and is asked nothing more", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page, complaints } = owner;
    await goTo(page, "Keys");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.locator(".minted").waitFor();
    await goTo(page, "Account");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("heading", { name: "Your profile and your links" }).waitFor();
    await page.reload();
    expect(complaints).toEqual([]);
  });

  test("who presses Enter once too often keeps everything, and is back where they began", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Account");
    const begin = page.getByRole("button", { name: "Delete everything", exact: true });
    await begin.press("Enter");
    await page.getByLabel("To go on").fill("person1@example.com");
    await page.getByRole("button", { name: "Go on" }).press("Enter");
    await page.getByText("This is the last question.").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await studio.record()).toBeDefined();
    expect(await begin.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  });

  test("cannot seem to keep what is on its way to be deleted", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Account");
    await page.getByRole("button", { name: "Delete everything", exact: true }).click();
    await page.getByLabel("To go on").fill("person1@example.com");
    await page.getByRole("button", { name: "Go on" }).click();
    const held = Promise.withResolvers<void>();
    await page.route("**/deletion", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Delete everything now" }).click();
    const keep = page.getByRole("button", { name: "Keep everything" });
    expect(await keep.getAttribute("aria-disabled")).toBe("true");
    await keep.dispatchEvent("click");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
    held.resolve();
    await page.getByText("Everything of yours is deleted.").waitFor();
  });

  test("who cancels while a picture is on its way does not get it", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.locator('input[type="file"]').setInputFiles(await broadPicture(page));
    const held = Promise.withResolvers<void>();
    await page.route("**/picture*", async (route) => {
      await held.promise;
      await route.continue();
    });
    const sent = page.waitForRequest("**/picture*");
    const answered = page.waitForResponse("**/picture*");
    await page.getByRole("button", { name: "Use this picture" }).click();
    await sent;
    await page.getByRole("button", { name: "Cancel" }).click();
    held.resolve();
    await (await answered).finished();
    await goTo(page, "Account");
    expect(await page.locator(".save-bar").count()).toBe(0);
  });

  test("is at the heading before what is gone once it was answered, and at a button that is busy still", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const ledTo = (heading: string) => page.locator(":is(h1, h2):focus").getByText(heading).waitFor();
    await goTo(page, "Keys");
    const make = page.getByRole("button", { name: "Make a key" });
    await withoutNetwork(page, () => make.press("Enter"));
    expect(await page.evaluate<string>("document.activeElement.textContent")).toBe("Make a key");
    await make.press("Enter");
    await page.getByRole("button", { name: "I have copied it" }).press("Enter");
    await ledTo("Keys");
    await page.getByRole("button", { name: "End the key" }).press("Enter");
    await page.getByRole("button", { name: "End it" }).press("Enter");
    await page.getByRole("heading", { name: "Ended" }).waitFor();
    await ledTo("Working");

    await goTo(page, "Take along");
    const record = JSON.stringify(withValue(homelyRecord(1), "profile.location.value", "Rome"));
    const file = { name: "a.json", mimeType: "application/json", buffer: Buffer.from(record) };
    await page.getByLabel("Choose a file").setInputFiles(file);
    await page.getByRole("button", { name: "Save this record" }).press("Enter");
    await saved(page);
    await ledTo("Bring a file back");
  });

  test("is offered the name of a web site only for a key that sees what is public", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Keys");
    const offered = () => page.getByLabel("Name").getAttribute("placeholder");
    expect(await offered()).not.toBe("My web site");
    await page.getByLabel("What is public").check();
    expect(await offered()).toBe("My web site");
  });

  test("sees at once on a phone why there is no preview", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Link trees");
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    const reason = page.getByRole("alert").getByText("The studio cannot be reached");
    const { y = 0, height = 0 } = (await reason.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(600);
  });

  test("is told wherever the studio cannot be reached, and goes on once it can", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await goTo(page, "QR codes");
    await page
      .getByAltText(/^QR code/)
      .last()
      .waitFor();
    await withoutNetwork(page, () =>
      page
        .getByRole("button", { name: /as PNG$/ })
        .first()
        .click(),
    );
    await goTo(page, "Numbers");
    await page.getByText("Clicks per view").waitFor();
    await withoutNetwork(page, () => page.getByRole("button", { name: "Download as CSV" }).click());
    await goTo(page, "Link trees");
    await page.getByRole("link", { name: "Everything" }).click();
    const preview = page.locator("iframe").last().contentFrame();
    await preview.getByText("Home").waitFor();
    await withoutNetwork(page, () => page.getByLabel("Label of link 1", { exact: true }).fill("My harbour"));
    expect(await page.getByText("has to be mended").count()).toBe(0);
    await page.getByRole("button", { name: "Try again" }).click();
    await preview.getByText("My harbour").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);

    await using operator = await open(await studio.operatorLink());
    const signOut = operator.page.getByRole("button", { name: "Sign out", exact: true });
    await signOut.waitFor();
    await withoutNetwork(operator.page, () => signOut.click());
  });

  test("is told that the studio cannot be reached where it takes a save and never answers", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.clock.install();
    await page.getByLabel("Place", { exact: true }).fill("Oslo");
    await page.route("**/record", () => {});
    const asked = page.waitForRequest("**/record");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await asked;
    await page.clock.runFor(40_000);
    expect(await page.getByRole("button", { name: "Saving…" }).count()).toBe(1);
    await page.clock.runFor(10_000);
    await page.locator(".save-bar").getByText("The studio cannot be reached.").waitFor();
    await page.unroute("**/record");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator(".save-bar .primary").waitFor({ state: "detached" });
    expect((await studio.record()).profile.location.value).toBe("Oslo");
  });

  test("is offered to try again what can be, and not what has a button of its own", async () => {
    await using studio = await startPagedStudio();
    await studio.enterAsOwner();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const tryAgain = page.getByRole("button", { name: "Try again" });
    await page.route("**/api/sessions", (route) => route.abort(), { times: 1 });
    await goTo(page, "Account");
    await tryAgain.click();
    const end = page.getByRole("button", { name: /^End the session/ });
    await end.waitFor();
    await withoutNetwork(page, () => end.click());
    expect(await tryAgain.count()).toBe(0);
    await end.click();
    await end.waitFor({ state: "detached" });
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("is told where the browser refuses to copy a key, which is shown this once", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))");
    await goTo(page, "Keys");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByRole("button", { name: "Copy the key" }).getByText("Copy").click();
    await page.getByRole("button", { name: "Copy the key" }).getByText("Not copied").waitFor();
    await page.locator("[role=status]").getByText("could not be copied").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Copy the key" }).getByText("Copy", { exact: true }).waitFor();
    expect(owner.complaints).toEqual([]);
  });

  test("is told at its field that the name of a key is too long", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Keys");
    await page.getByLabel("Name").fill("x".repeat(1000));
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.locator("#key-name-problem").getByText("characters").waitFor();
  });

  test("adds a hook whose secret is shown once, tries it, and removes it", async () => {
    await using receiver = new Receiver();
    await using studio = await startPagedStudio([homelyRecord(1)], { hookPrivate: true });
    // Addresses of this machine are the operator's alone.
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    await page.getByRole("link", { name: "person1@example.com" }).click();
    await goTo(page, "Hooks");
    await page.getByLabel("Address").fill(receiver.url());
    await page.getByText("What is sent").click();
    await page.getByLabel(/^A signed message/).check();
    await page.getByRole("button", { name: "Add the hook" }).click();
    const secret = (await page.locator(".secret code").textContent()) ?? "";
    expect(secret).toStartWith("whsec_");
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.locator(".secret").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Test the hook/ }).click();
    await page.getByRole("listitem").getByText("It works. Its receiver answered 200.").waitFor();
    expect(receiver.received).toHaveLength(1);
    await page.getByRole("button", { name: /^Remove the hook/ }).click();
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("There are no hooks yet.").waitFor();
    expect(await studio.store.hooks.list()).toEqual([]);
  });

  test("is told which test of a hook failed, and what becomes of one whose receiver is gone", async () => {
    let status = 500;
    await using receiver = new Receiver(() => new Response(null, { status }));
    await using studio = await startPagedStudio([homelyRecord(1)], { hookPrivate: true });
    const { id } = await studio.record();
    const added = { as: await studio.enterAsOperator(), params: { user: id } };
    const wanted = {
      url: receiver.url(),
      events: ["record.changed"],
      isSigned: false,
      headers: [],
      body: null,
    };
    await studio.call("addHook", { ...added, body: wanted });
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    const gone = async (route: Route) => {
      const answer = await route.fetch();
      const [hook] = (await answer.json()) as object[];
      await route.fulfill({ json: [{ ...hook, status: "disabled", since: new Date().toISOString() }] });
    };
    await page.route("**/hooks", gone, { times: 1 });
    await page.goto(`${studio.url}/#/users/${id}/hooks`);
    const item = page.getByRole("listitem").filter({ hasText: "Told of changes" });
    await item
      .getByText("when its receiver said that it is gone. A test that goes well ends that.")
      .waitFor();
    const test = item.getByRole("button", { name: /^Test/ });
    await test.click();
    await item.locator(".problem").getByText("The test failed. Its receiver answered 500.").waitFor();
    status = 204;
    await test.click();
    await item.getByText("It works. Its receiver answered 204.").waitFor();
    expect(await item.locator(".problem").count()).toBe(0);
  });

  test("is told of a QR code that leads nowhere, since its link tree has no page", async () => {
    await using studio = await startPagedStudio([withValue(homelyRecord(1), "linkTrees[0].hasPage", false)]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "QR codes");
    const told = page.getByRole("listitem").filter({ hasText: "the code leads nowhere" });
    await told.getByRole("heading", { name: "Everything" }).waitFor();
    expect(await told.count()).toBe(1);
  });

  test("cuts a square out of a picture, and saves its address", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const choose = page.locator('input[type="file"]');
    await choose.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await page.getByText("cannot be read as a picture").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();

    await choose.setInputFiles(await broadPicture(page));
    const cutter = page.getByRole("img", { name: /^The part of the picture/ });
    await cutter.focus();
    for (let steps = 0; steps < 40; steps++) await page.keyboard.press("ArrowRight");
    expect(await colourAt(cutter, 320)).toEqual([255, 0, 0]);
    await page.getByRole("button", { name: "Use this picture" }).click();
    await save(page);
    expect((await studio.record()).profile.avatarUrl.value).toMatch(
      /^https:\/\/links\.example\/media\/[\w-]+\.webp$/,
    );
  });

  test("drags a picture as far as the pointer goes, also in a page that is enlarged", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.locator('input[type="file"]').setInputFiles(await broadPicture(page));
    const cutter = page.getByRole("img", { name: /^The part of the picture/ });
    await page.getByRole("button", { name: "Use this picture", disabled: false }).waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setPageScaleFactor", { pageScaleFactor: 2 });
    const box = await cutter.boundingBox();
    if (!box) throw new Error("there is no picture");
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + 10, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + 10 + box.width * 0.4, middle, { steps: 8 });
    await page.mouse.up();
    expect(await colourAt(cutter, 640 * 0.3)).toEqual([0, 0, 255]);
    expect(await colourAt(cutter, 640 * 0.5)).toEqual([255, 255, 255]);
  });

  test("cuts a picture on a phone that lies on its side, and reads what to do", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.setViewportSize({ width: 844, height: 390 });
    await page.locator('input[type="file"]').setInputFiles(await broadPicture(page));
    await page.getByRole("button", { name: "Use this picture", disabled: false }).waitFor();
    const [dialog, heading, cutter] = await Promise.all(
      ["dialog", "dialog h2", ".cutter"].map((part) => page.locator(part).boundingBox()),
    );
    if (!dialog || !heading || !cutter) throw new Error("there is no picture");
    expect(heading.y).toBeGreaterThan(dialog.y);
    expect(cutter.height).toBeLessThan(dialog.height / 2);
  });

  test("cuts a square out of a picture of a single pixel, however large it is shown", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const png = await page.evaluate<string>(
      "Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).toDataURL().split(',')[1]",
    );
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") });
    const use = page.getByRole("button", { name: "Use this picture", disabled: false });
    await use.waitFor();
    await page.getByLabel("Size").fill("4");
    await use.click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await save(page);
    expect((await studio.record()).profile.avatarUrl.value).toContain("/media/");
  });

  test("sees white where a picture is transparent and the browser writes no WebP, as Safari", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const png = await page.evaluate<string>(`(() => {
      const write = OffscreenCanvas.prototype.convertToBlob;
      OffscreenCanvas.prototype.convertToBlob = function (asked) {
        return write.call(this, asked.type === "image/webp" ? { type: "image/png" } : asked);
      };
      const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
      return canvas.toDataURL("image/png").split(",")[1];
    })()`);
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") });
    await page.getByRole("button", { name: "Use this picture", disabled: false }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await save(page);
    const hash = pictureHashIn((await studio.record()).profile.avatarUrl.value ?? "") ?? "";
    const reader = await studio.database.openReader();
    const picture = await reader.readPicture(hash);
    await reader.close();
    expect(picture?.type).toBe("image/jpeg");
    const middle = await page.evaluate<number[]>(`(async () => {
      const picture = new Image();
      picture.src = "data:image/jpeg;base64,${Buffer.from(picture?.bytes ?? []).toString("base64")}";
      await picture.decode();
      const context = document.createElement("canvas").getContext("2d");
      context.drawImage(picture, 0, 0);
      return [...context.getImageData(32, 32, 1, 1).data];
    })()`);
    expect(middle).toEqual([255, 255, 255, 255]);
  });

  test("takes the record along, and brings it back after seeing what that would change", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Take along");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download YAML" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("person-1.yaml");
    const yaml = await new Response(Bun.file((await download.path()) ?? "")).text();
    expect(yaml).toContain("Person 1");

    const choose = page.locator('input[type="file"]');
    const put = (text: string) =>
      choose.setInputFiles({ name: "record.yaml", mimeType: "text/yaml", buffer: Buffer.from(text) });
    await put(yaml);
    await page.getByText("is the same as what is saved").waitFor();
    await put(yaml.replace("https://now.example/", "nowhere"));
    await page.getByText("cannot be saved: 1 problem").waitFor();
    await put(yaml.replace("Person 1", "Somebody else"));
    await page.getByText("record.yaml would change").waitFor();
    expect((await studio.record()).profile.name.value).toBe("Person 1");
    await page.getByRole("button", { name: "Save this record" }).click();
    await saved(page);
    expect((await studio.record()).profile.name.value).toBe("Somebody else");
  });

  test("sees views and clicks of the days, and takes them along as CSV", async () => {
    await using studio = await startPagedStudio();
    const [tree] = (await studio.record()).linkTrees;
    const [link] = tree?.links ?? [];
    if (!tree || !link) throw new Error("there is no link to count");
    const day = new Date().toISOString().slice(0, 10);
    const writer = await studio.database.openCountWriter();
    await writer.write({
      counts: [
        { userNumber: 1, treeId: tree.id, linkId: "", day, count: 12 },
        { userNumber: 1, treeId: tree.id, linkId: link.id, day, count: 5 },
      ],
      keyIds: [],
      usedAt: Date.now(),
    });
    await writer.close();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await goTo(page, "Numbers");
    await page.getByText(/so far\): 12 views, 5 clicks/).waitFor();
    await page.getByRole("button", { name: "365 days" }).click();
    await page.getByRole("img", { name: /by month/ }).waitFor();
    await page.getByText(/so far\): 12 views, 5 clicks/).waitFor();
    expect(await page.getByRole("row").filter({ hasText: link.label }).last().textContent()).toContain(
      "100\u202f%",
    );
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("numbers-365-days.csv");
  });
});
