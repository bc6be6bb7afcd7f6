import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync } from "node:fs";
import { done, expectRefusal, hasDatabase, load } from "../support/command-line.ts";
import { withValue } from "../support/edit-record.ts";
import { engineInUse, sqlite } from "../support/engines.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

function enter(url: string, route: string): Promise<Response> {
  const { origin, host, hash } = new URL(url);
  return fetch(`${origin.replace("localhost", "127.0.0.1")}/api/${route}`, {
    method: "POST",
    headers: { Host: host, Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ secret: hash.slice(hash.indexOf("=") + 1) }),
  });
}

describe("studio", () => {
  test("serves its page, lets people in by the links of commands, and keeps secrets out of its log", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using studio = await program.serve(["studio", "--studio-port", "0"]);
    expect(studio.url).toMatch(/^http:\/\/localhost:\d+$/);
    const { port, host } = new URL(studio.url);
    const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { Host: host } });
    expect(await page.text()).toMatch(/<script [^>]*src="\/[\w-]+\.js"/);

    const link = await done(program, ["studio", "--link", "--studio-port", port]);
    expect(await (await enter(link, "session/link")).json()).toMatchObject({ who: { kind: "operator" } });
    expect((await enter(link, "session/link")).status).toBe(410);
    const invited = await done(program, ["invite", email.toUpperCase(), "--studio-port", port, "--json"]);
    const { url, ...rest } = JSON.parse(invited) as { url: string };
    expect(rest).toMatchObject({ email, expiresAt: expect.any(String) });
    expect(await (await enter(url, "invitations/take")).json()).toMatchObject({ who: { kind: "owner" } });

    const taken = await program.run(["studio", "--studio-port", port]);
    expectRefusal(taken, {
      error: `port ${port} of 127.0.0.1 is in use`,
      remedy: `vitrine studio --studio-port ${Number(port) + 1}`,
    });
    expect(await studio.stop()).toBe(0);
    for (const secret of [link, url].map((it) => it.slice(it.indexOf("=") + 1)))
      expect(studio.output()).not.toContain(secret);
  });

  test("says of every link that leads to this machine alone that it does", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const commands = [
      ["studio", "--link"],
      ["invite", email],
    ];
    for (const command of commands) {
      const here = await program.run(command);
      expect(here.stdout).toStartWith("http://localhost:3100/");
      expect(here.stderr).toEndWith(
        "\nSTUDIO_URL is not set, so the link leads to this machine, which others do not reach.\n",
      );
      const elsewhere = await program.run([...command, "--studio-url", "https://studio.example"]);
      expect(elsewhere.stdout).toStartWith("https://studio.example/");
      expect(elsewhere.stderr).not.toContain("STUDIO_URL");
    }
  });

  test("writes nothing to a file that is no longer there, and ends", async () => {
    if (engineInUse() !== sqlite) return;
    using program = new Program();
    await load(program, writtenRecord(1));
    await using studio = await program.serve(["studio", "--studio-port", "0"]);
    const { port, host } = new URL(studio.url);
    await Bun.file(program.folder.file("vitrine.db")).delete();
    const refused = await fetch(`http://127.0.0.1:${port}/api/session`, { headers: { Host: host } });
    expect(refused.status).toBe(503);
    expect(await studio.child.exited).toBe(1);
    expect(await new Response(studio.child.stderr).text()).toBe(
      "Error: the database vitrine.db was replaced or removed\nTry: vitrine studio\n",
    );
  });

  test("is refused with a provider that it has no name for, and makes no database", async () => {
    using program = new Program({ OIDC_ISSUER: "https://login.example" });
    expectRefusal(await program.run(["studio", "--studio-port", "0"]), {
      error: "OIDC_ISSUER is set, but OIDC_CLIENT_ID is not, and the provider would let nobody in",
      remedy: "vitrine studio --oidc-issuer https://login.example --oidc-client-id ID",
      exitCode: 2,
    });
    expect(await hasDatabase(program)).toBe(false);
  });

  test.each([
    { where: "the program that would open it ends with a failure", opener: "#!/bin/sh\nexit 3\n" },
    { where: "there is no such program", opener: undefined },
  ])("that was to open a browser says that there is none where $where", async ({ opener }) => {
    if (process.platform !== "linux") return;
    using program = new Program();
    if (opener) chmodSync(program.folder.file(await program.put("xdg-open", opener)), 0o755);
    const environment = { PATH: program.folder.path };
    await using studio = await program.serve(["studio", "--open", "--studio-port", "0"], environment);
    const { value } = await studio.child.stderr.getReader().read();
    expect(new TextDecoder().decode(value)).toBe(
      "No browser could be opened. Print the link with: vitrine studio --link\n",
    );
    expect(await studio.stop()).toBe(0);
  });

  test("prints its link on a terminal", async () => {
    using program = new Program();
    const { screen } = await program.runOnTerminal(["studio", "--studio-port", "0"], {
      question: "#link=",
      answer: "\x03",
    });
    expect(screen).toMatch(/http:\/\/localhost:\d+\/#link=[\w-]{43}/);
  });
});

describe("invite, history and restore", () => {
  test("leave the e-mail address of a user as it is now", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const first = JSON.parse(await done(program, ["history", email, "--print", "1"]));
    const changed = withValue(first, "profile.summary.value", "Builds things.");
    await load(program, withValue(changed, "email", "new@example.com"));
    await done(program, ["restore", "new@example.com", "1"]);
    const now = JSON.parse(await done(program, ["history", "new@example.com", "--print", "3"]));
    expect([now.email, now.profile.summary.value]).toEqual(["new@example.com", "Makes things."]);
  });

  test("say what there is, bring a version back, and name what is not there", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await load(program, withValue(writtenRecord(1), "profile.summary.value", "Builds things."));

    const listed = await done(program, ["history", email]);
    expect(listed).toMatch(
      /^VERSION +SAVED +BY +WHAT DIFFERED\n2 \(now\) .* import +summary changed\n1 .* created +-$/,
    );
    const first = JSON.parse(await done(program, ["history", email, "--print", "1"]));
    expect(first.profile.summary.value).toBe("Makes things.");
    expect(await done(program, ["restore", email, "1"])).toBe(
      `Restored version 1 of ${email}. What it replaced is in the history.`,
    );
    const versions = JSON.parse(await done(program, ["history", email, "--json"]));
    expect(versions).toMatchObject([{ version: 3, way: "restore" }, { version: 2 }, { version: 1 }]);
    expect(await done(program, ["restore", email, "3"])).toContain("already");

    expectRefusal(await program.run(["restore", email, "9"]), {
      error: `there is no version 9 of ${email}`,
      remedy: `vitrine history ${email}`,
    });
    for (const args of [["invite"], ["history"], ["restore", "1"]]) {
      const [command = "", ...rest] = args;
      expectRefusal(await program.run([command, "nobody@example.com", ...rest]), {
        error: "there is no user nobody@example.com",
        remedy: "vitrine user list",
      });
    }
  });
});
