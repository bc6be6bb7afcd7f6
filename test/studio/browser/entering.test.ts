import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { SESSION_HEADER } from "../../../src/studio/contract.ts";
import { describeInBrowser } from "../../support/browser.ts";
import { enterAsOwner, goTo, homelyRecord, save, startPagedStudio } from "../../support/studio-visitor.ts";
import { until } from "../../support/until.ts";

setDefaultTimeout(300_000);

/** A device that keeps passkeys, and lets its owner through without a finger. */
async function withAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

describeInBrowser("in a browser, the studio's door", (open) => {
  test("lets an owner in by an invitation, and back in by the passkey made there", async () => {
    await using studio = await startPagedStudio();
    const invitation = await studio.invitation();
    await using looker = await open(invitation);
    await looker.page.getByRole("heading", { name: "You are invited" }).waitFor();
    await using owner = await open(invitation);
    const { page } = owner;
    await withAuthenticator(page);
    expect(page.url()).toBe(`${studio.url}/`);
    await page.getByRole("button", { name: "Come in" }).click();
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();

    await goTo(page, "Account");
    await page.getByText("Made", { exact: false }).first().waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();

    await looker.page.getByRole("button", { name: "Come in" }).click();
    await looker.page.getByRole("alert").waitFor();
    expect(await looker.page.getByRole("heading", { name: "You are invited" }).isVisible()).toBe(true);
    expect(owner.complaints).toEqual([]);
  });

  test("still has the invitation for somebody who tries again after the studio did not answer", async () => {
    await using studio = await startPagedStudio();
    await using owner = await open(studio.url);
    const { page } = owner;
    await page.route("**/api/invitations/look", (route) => route.abort(), { times: 1 });
    await page.goto(await studio.invitation());
    await page.getByRole("heading", { name: "The studio does not answer" }).waitFor();
    expect(page.url()).toBe(`${studio.url}/`);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "You are invited" }).waitFor();
  });

  test("lets somebody take the invitation again where the studio did not answer while it was taken", async () => {
    await using studio = await startPagedStudio();
    await using owner = await open(await studio.invitation());
    const { page } = owner;
    const comeIn = page.getByRole("button", { name: "Come in" });
    await comeIn.waitFor();
    await page.route("**/api/session", (route) => route.abort(), { times: 1 });
    await comeIn.click();
    await page.getByRole("alert").getByText("cannot be reached").waitFor();
    await comeIn.click();
    await page.getByRole("heading", { name: "Make a passkey" }).waitFor();
  });

  test("says that it is not reached where something in between answers in its place", async () => {
    await using studio = await startPagedStudio();
    await using owner = await open(studio.url);
    const { page, complaints } = owner;
    const inPlace = (route: Route) =>
      route.fulfill({ status: 200, contentType: "text/html", body: "<title>Welcome to our Wi-Fi</title>" });
    await page.route("**/api/invitations/look", inPlace, { times: 1 });
    await page.goto(await studio.invitation());
    await page.getByRole("heading", { name: "The studio does not answer" }).waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Come in" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByLabel("Place", { exact: true }).fill("Oslo");
    await page.route("**/record", inPlace, { times: 1 });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator(".save-bar").getByText("The studio cannot be reached").waitFor();
    await save(page);
    expect(complaints).toEqual([]);
  });

  test("says so where the browser blocks what sites keep, and has the invitation still after that", async () => {
    await using studio = await startPagedStudio();
    await using owner = await open("about:blank");
    const { page } = owner;
    const denied =
      "get: () => { if (!allowed) throw new DOMException('denied', 'SecurityError'); return kept; }";
    await page.addInitScript(`
      const kept = localStorage, allowed = kept.getItem("allowed");
      kept.setItem("allowed", "from now on");
      Object.defineProperty(window, "localStorage", { ${denied} });`);
    await page.goto(await studio.invitation());
    await page.getByText("blocks cookies and site data").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "You are invited" }).waitFor();
    expect(owner.complaints).toEqual([]);
  });

  test("says so where the browser has no room left, before an invitation is spent for nothing", async () => {
    await using studio = await startPagedStudio();
    await using owner = await open(studio.url);
    const { page } = owner;
    await page.evaluate(`
      for (let text = "x".repeat(2 ** 20), count = 0; text.length > 0; count++) {
        try { localStorage.setItem("filled" + count, text); } catch { text = text.slice(text.length / 2 + 0.5); }
      }`);
    const invitation = await studio.invitation();
    await page.goto("about:blank");
    await page.goto(invitation);
    await page.getByText("has no room left").waitFor();
    await page.evaluate("localStorage.clear()");
    await page.reload();
    await page.getByRole("button", { name: "Come in" }).click();
    await page.getByRole("heading", { name: "Make a passkey" }).waitFor();
    expect(owner.complaints).toEqual([]);
  });

  test("lets somebody in who comes back from the provider with half of a session", async () => {
    await using studio = await startPagedStudio();
    const { Cookie, [SESSION_HEADER]: half } = await studio.enterAsOwner();
    await using owner = await open(studio.url);
    const { page } = owner;
    const [name = "", value = ""] = Cookie.split("=");
    await page.context().addCookies([{ name, value, url: studio.url }]);
    await page.goto(`${studio.url}/#session=${half}`);
    await page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();
    expect(page.url()).toBe(`${studio.url}/`);
  });

  test("signs nobody out by a link with a session that is none", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const another = await owner.page.context().newPage();
    await another.goto(`${studio.url}/#session=x`);
    await another.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();
    await owner.page.reload();
    await owner.page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();
  });

  test("says that an invitation is spent, and who is signed in, before that person's record is shown", async () => {
    await using studio = await startPagedStudio([homelyRecord(1), homelyRecord(2)]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    const spent = await studio.invitation("person2@example.com");
    await studio.invitation("person2@example.com");
    await page.goto(spent);
    await page.getByRole("heading", { name: "This link did not work" }).waitFor();
    await page.getByText("This link was used already, or is too old.").waitFor();
    await page.getByText("In this browser person1@example.com is signed in.").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();
  });

  test("says by title and focus where somebody is who comes in, and goes out, by keyboard", async () => {
    await using studio = await startPagedStudio();
    await using owner = await open(await studio.invitation(), { width: 1280 });
    const { page } = owner;
    const isAt = async (heading: string) => {
      await page.locator("h1:focus").getByText(heading, { exact: true }).waitFor();
      expect(await page.title()).toBe(`${heading} · Vitrine`);
    };
    await isAt("You are invited");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await isAt("Make a passkey");
    await page.getByRole("button", { name: "Later" }).press("Enter");
    await isAt("Profile");
    await page.getByRole("link", { name: "Account", exact: true }).press("Enter");
    await isAt("Account");
    await page.getByRole("button", { name: "Sign out", exact: true }).press("Enter");
    await isAt("Your profile and your links");
    await page.route("**/api/session", (route) => route.abort(), { times: 1 });
    await page.reload();
    await isAt("The studio does not answer");
  });

  test("lets the operator in once by the link of the command, and keeps its secret in no address", async () => {
    await using studio = await startPagedStudio([homelyRecord(1), homelyRecord(2)]);
    const link = await studio.operatorLink();
    await using operator = await open(link, { width: 1280 });
    const { page } = operator;
    await page.getByRole("heading", { name: "Users" }).waitFor();
    const secret = link.slice(link.indexOf("=") + 1);
    expect(page.url()).not.toContain(secret);
    expect(operator.requests.filter((url) => url.includes(secret))).toEqual([]);
    expect(await page.evaluate("history.length")).toBe(2);
    expect(studio.logText()).not.toContain(secret);

    await using second = await open(link);
    await second.page.getByRole("heading", { name: "Your profile and your links" }).waitFor();
    await second.page.getByRole("alert").waitFor();
    await second.page.getByText("vitrine studio --link").waitFor();

    await page.getByRole("searchbox").fill("person-2");
    await page.getByText("person1@example.com").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "person2@example.com" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Not saved");
    await page.getByRole("link", { name: "All users" }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Not saved");
    await page.getByRole("link", { name: "All users" }).click();
    await page.getByRole("button", { name: "Leave without saving" }).click();
    await page.getByRole("heading", { name: "Users" }).waitFor();
  });

  test("asks the operator who goes back from a user before changes are lost", async () => {
    await using studio = await startPagedStudio();
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    await page.getByRole("link", { name: "person1@example.com" }).click();
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Not saved");
    const here = page.url();
    for (const _ of ["first", "second"]) {
      await page.evaluate("history.back()");
      await page.getByRole("button", { name: "Stay" }).click();
      await page.waitForURL(here);
      expect(await name.inputValue()).toBe("Not saved");
    }
    expect(operator.complaints).toEqual([]);
    await page.getByRole("link", { name: "All users" }).click();
    await page.getByRole("button", { name: "Save and leave" }).click();
    await page.getByRole("heading", { name: "Users" }).waitFor();
    expect((await studio.record()).profile.name.value).toBe("Not saved");
  });

  test.each([
    ["signs out", "Sign out"],
    ["signs out everywhere", "Sign out everywhere"],
    ["removes the last passkey", "Remove it"],
  ])("asks an owner who %s before changes are lost", async (_, button) => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await withAuthenticator(page);
    await page.getByLabel("Place", { exact: true }).fill("Tromsø");
    await goTo(page, "Account");
    await page.getByRole("button", { name: "Make a passkey on this device" }).click();
    const leave = async () => {
      if (button === "Remove it") await page.getByRole("button", { name: /^Remove the passkey/ }).click();
      await page.getByRole("button", { name: button, exact: true }).click();
    };
    await leave();
    await page.getByRole("button", { name: "Stay" }).click();
    await leave();
    await page.getByRole("button", { name: "Save and leave" }).click();
    await page.getByRole("heading", { name: "Your profile and your links" }).waitFor();
    expect((await studio.record()).profile.location.value).toBe("Tromsø");
  });

  test("asks before a passkey is removed, and says what becomes of an owner without one", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await withAuthenticator(page);
    await goTo(page, "Account");
    await page.getByText("you need a new invitation once you are signed out").waitFor();
    await page.getByRole("button", { name: "Make a passkey on this device" }).click();
    const remove = page.getByRole("button", { name: /^Remove the passkey/ });
    await remove.click();
    await page.getByRole("dialog").getByText("It is your last one").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const { id } = await studio.record();
    expect(await studio.store.access.passkeys.of(id)).toHaveLength(1);
    await remove.click();
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("Your last passkey is removed").waitFor();
    expect(await studio.store.access.passkeys.of(id)).toEqual([]);
  });

  test("ends a session, and removes a passkey, that somebody has ended or removed elsewhere meanwhile", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio, { width: 1280 });
    const { page } = owner;
    await withAuthenticator(page);
    await goTo(page, "Account");
    await page.getByRole("button", { name: "Make a passkey on this device" }).click();
    const { id } = await studio.record();
    const { passkeys, sessions } = studio.store.access;
    const publicKey = new Uint8Array([1]);
    await passkeys.add(id, { id: "of a phone", name: "Phone", publicKey, counter: 0, transports: [] });
    await studio.enterAsOwner();
    await goTo(page, "Profile");
    await goTo(page, "Account");
    const endSession = page.getByRole("button", { name: /^End the session/ });
    const removePasskey = page.getByRole("button", { name: /^Remove the passkey Phone/ });
    await Promise.all([endSession.waitFor(), removePasskey.waitFor()]);
    for (const { id: session, device } of await sessions.of(id))
      if (device === "Unknown browser") await sessions.end(id, session);
    await passkeys.remove(id, "of a phone");
    await endSession.click();
    await endSession.waitFor({ state: "detached" });
    await removePasskey.click();
    await page.getByRole("button", { name: "Remove it" }).click();
    await removePasskey.waitFor({ state: "detached" });
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("lets the operator make a user, invite and delete it", async () => {
    await using studio = await startPagedStudio();
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    await page.getByRole("button", { name: "New user" }).click();
    await page.getByLabel("E-mail address").fill("new@example.com");
    // A name in letters that an address would have to escape.
    await page.getByLabel("Name").fill("Мария");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();
    expect((await studio.record("new@example.com")).profile.slug).toBe("new");

    await page.getByRole("link", { name: "All users" }).click();
    await page.getByRole("button", { name: "Invite new@example.com" }).click();
    await page.getByRole("button", { name: "Make the link" }).click();
    const invitation = await page.locator(".secret code").textContent();
    expect(invitation).toStartWith(`${studio.url}/#invitation=`);
    await page.getByRole("button", { name: "Done" }).click();

    await page.getByRole("button", { name: "Delete new@example.com" }).click();
    const goOn = page.getByRole("button", { name: "Go on" });
    expect(await goOn.isDisabled()).toBe(true);
    await page.getByLabel("To go on").fill("new@example.com");
    await goOn.click();
    await page.getByRole("button", { name: "Delete everything now" }).click();
    await page.getByRole("link", { name: "new@example.com" }).waitFor({ state: "detached" });
    expect(await studio.store.records.find("new@example.com")).toBeNull();
  });

  test("tells those who do not see it that a link is copied, from within its dialog", async () => {
    await using studio = await startPagedStudio();
    await using operator = await open(await studio.operatorLink());
    const { page } = operator;
    await page.evaluate("navigator.clipboard.writeText = () => Promise.resolve()");
    await page.getByRole("button", { name: "Invite person1@example.com" }).click();
    await page.getByRole("button", { name: "Make the link" }).click();
    await page.getByRole("button", { name: "Copy the link" }).click();
    // What is behind a dialog cannot be heard, whatever is said there.
    const heard = page.getByRole("dialog").getByRole("status").getByText("the link copied.");
    await heard.waitFor({ state: "attached" });
  });

  test("leads the operator back from a user who is gone", async () => {
    await using studio = await startPagedStudio();
    await using operator = await open(await studio.operatorLink());
    const { page } = operator;
    await page.getByRole("link", { name: "person1@example.com" }).waitFor();
    await studio.store.records.delete("person1@example.com");
    await page.getByRole("link", { name: "person1@example.com" }).click();
    await page.getByText("There is no such user.").waitFor();
    await page.getByRole("link", { name: "All users" }).click();
    await page.getByText("There is nobody yet.").waitFor();
  });

  test("shows the operator only who is looked for, although more of all were on their way", async () => {
    await using studio = await startPagedStudio(
      Array.from({ length: 120 }, (_, index) => homelyRecord(index + 1)),
    );
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    const { promise: isLate, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/api/users?after=*", async (route) => {
      await isLate;
      await route.continue();
    });
    await page.getByRole("button", { name: "More" }).click();
    await page.getByLabel("Find a user").fill("person77@");
    const users = page.locator(".items a");
    await until("one is found", async () => (await users.count()) === 1);
    const late = page.waitForResponse("**/api/users?after=*");
    answer();
    await (await late).finished();
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    expect(await users.allTextContents()).toEqual([expect.stringContaining("person77@example.com")]);
  });

  test("leaves the operator at the place in the list where somebody was deleted", async () => {
    await using studio = await startPagedStudio(
      Array.from({ length: 60 }, (_, index) => homelyRecord(index + 1)),
    );
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    const more = page.getByRole("button", { name: "More" });
    await more.click();
    await more.waitFor({ state: "detached" });
    const last = page.getByRole("button", { name: /^Delete / }).last();
    const email = ((await last.getAttribute("aria-label")) ?? "").slice("Delete ".length);
    await last.click();
    const place = await page.evaluate<number>("scrollY");
    await page.getByLabel("To go on").fill(email);
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("button", { name: "Delete everything now" }).click();
    await page.getByRole("link", { name: email }).waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: /^Delete / }).count()).toBe(59);
    expect(await page.evaluate<number>("scrollY")).toBeGreaterThan(place - 200);
  });

  test("takes a user from the list whom another operator has deleted meanwhile", async () => {
    await using studio = await startPagedStudio([homelyRecord(1), homelyRecord(2)]);
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    const deletion = page.getByRole("button", { name: "Delete person2@example.com" });
    await deletion.click();
    await studio.store.records.delete("person2@example.com");
    await page.getByRole("dialog").getByRole("textbox").fill("person2@example.com");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("button", { name: "Delete everything now" }).click();
    await deletion.waitFor({ state: "detached" });
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("has for the operator who comes back from a user what was looked for", async () => {
    await using studio = await startPagedStudio([homelyRecord(1), homelyRecord(2)]);
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    await page.getByLabel("Find a user").fill("person2");
    await page.getByRole("link", { name: "person1@example.com" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "person2@example.com" }).click();
    await page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "person2@example.com" }).waitFor();
    expect(await page.getByLabel("Find a user").inputValue()).toBe("person2");
    expect(await page.getByRole("link", { name: "person1@example.com" }).count()).toBe(0);
  });

  test("tells the operator which field of a new user is wrong, and writes an address small", async () => {
    await using studio = await startPagedStudio();
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    await page.getByRole("button", { name: "New user" }).click();
    await page.getByLabel("E-mail address").fill("new@example.com");
    const slug = page.getByLabel("Address of the profile");
    const says = (text: string) => page.locator("#new-slug-problem").getByText(text).waitFor();
    await slug.fill("person-1");
    await page.getByRole("button", { name: "Create" }).click();
    await says("taken");
    expect(await slug.getAttribute("aria-describedby")).toBe("new-slug-problem");
    await slug.fill("new/person");
    await page.getByRole("button", { name: "Create" }).click();
    await says("must not hold");
    expect(await page.locator("[aria-invalid]").count()).toBe(1);
    await slug.fill("New-person ");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Profile", level: 1, exact: true }).waitFor();
    expect((await studio.record("new@example.com")).profile.slug).toBe("new-person");
  });

  test("asks an owner whose session ended elsewhere to sign in again, and keeps what was typed", async () => {
    await using studio = await startPagedStudio();
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.getByLabel("Place", { exact: true }).fill("Tromsø");
    const { id } = await studio.record();
    await studio.store.access.sessions.endAll(id);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "You were signed out" }).waitFor();

    const another = await page.context().newPage();
    await another.goto(await studio.invitation());
    await another.getByRole("button", { name: "Come in" }).click();
    await another.getByRole("button", { name: "Later" }).waitFor();
    await page.getByRole("button", { name: "I am signed in again" }).click();
    await save(page);
    expect((await studio.record()).profile.location.value).toBe("Tromsø");
  });

  test("keeps what was typed while nobody is signed in again, or somebody else", async () => {
    await using studio = await startPagedStudio([homelyRecord(1), homelyRecord(2)]);
    await using owner = await enterAsOwner(open, studio);
    const { page } = owner;
    await page.getByLabel("Place", { exact: true }).fill("Tromsø");
    await studio.store.access.sessions.endAll((await studio.record()).id);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const again = page.getByRole("button", { name: "I am signed in again" });
    await again.click();
    await page.getByRole("alert").getByText("Nobody is signed in yet.").waitFor();

    const another = await page.context().newPage();
    const enterAs = async (email: string) => {
      await another.goto(await studio.invitation(email));
      await another.getByRole("button", { name: "Come in" }).click();
      await another.getByRole("button", { name: "Later" }).waitFor();
    };
    await enterAs("person2@example.com");
    await again.click();
    await page.getByRole("alert").getByText("Another account is signed in.").waitFor();
    await enterAs("person1@example.com");
    await again.click();
    await save(page);
    expect((await studio.record()).profile.location.value).toBe("Tromsø");
  });

  test("lets an owner leave who cannot sign in again, and signs nobody out by that", async () => {
    await using studio = await startPagedStudio([homelyRecord(1), homelyRecord(2)]);
    await using owner = await enterAsOwner(open, studio);
    const { page, complaints } = owner;
    await page.getByLabel("Place", { exact: true }).fill("Tromsø");
    const another = await page.context().newPage();
    await another.goto(await studio.invitation("person2@example.com"));
    await another.getByRole("button", { name: "Come in" }).click();
    await page.getByText("open a new invitation in another tab").waitFor();
    await studio.store.records.delete("person1@example.com");
    await page.getByRole("button", { name: "Leave without saving" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("Person 2").first().waitFor();
    await another.getByRole("button", { name: "Later" }).click();
    await another.getByLabel("Place", { exact: true }).fill("Oslo");
    await save(another);
    expect(complaints).toEqual([]);
  });

  test("tells the operator at once that an invitation taken in another tab has signed them out", async () => {
    await using studio = await startPagedStudio([homelyRecord(1), homelyRecord(2)]);
    await using operator = await open(await studio.operatorLink(), { width: 1280 });
    const { page } = operator;
    await page.getByRole("link", { name: "person2@example.com" }).click();
    await page.getByLabel("Place", { exact: true }).fill("Tromsø");
    const another = await page.context().newPage();
    await another.goto(await studio.invitation());
    await another.getByRole("button", { name: "Come in" }).click();
    await page.getByRole("heading", { name: "You were signed out" }).waitFor();
    // A second studio could not listen where one runs.
    await page.getByText("Run vitrine studio --link").waitFor();

    await another.goto(await studio.operatorLink());
    await another.getByRole("heading", { name: "Users" }).waitFor();
    await page.getByRole("button", { name: "I am signed in again" }).click();
    await save(page);
    expect((await studio.record("person2@example.com")).profile.location.value).toBe("Tromsø");
  });
});
