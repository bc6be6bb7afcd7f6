import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { fencesOf, readFile, sectionOf } from "../docs/markdown.ts";
import { done, expectRefusal, load, withDatabase } from "../support/command-line.ts";
import { withValue } from "../support/edit-record.ts";
import { Program } from "../support/program.ts";
import { type Received, Receiver } from "../support/receiver.ts";
import { writtenRecord } from "../support/records.ts";
import { tamperWith } from "../support/tampering.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

const changedRecord = (title: string) => JSON.stringify(withValue(writtenRecord(1), "jobs[0].title", title));

const logOf = (program: Program, id: string) => withDatabase(program, (store) => store.hooks.log(id));

/** As if as much time had passed as a server has to say how a try ended. */
const endLeases = (program: Program) => tamperWith(program, "UPDATE deliveries SET due_at = 0");

/** The words of an example, whatever ids, times and places are in it. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(
      /\b(?:[0-9a-f]{32}|[0-9a-f-]{36}|A[\w-]{21})(?![\w-])|whsec_\S+|https?:\/\/\S+|[\d:-]{8,}|\S+@\S+/g,
      "…",
    )
    .split(/\s+/)
    .filter((word) => /^[A-Za-z]/.test(word));
}

const exampleOf = (command: string) =>
  fencesOf(sectionOf(readFile("docs/command-line.md"), command), "text")
    .join("\n")
    .replaceAll(/^\$.*$/gm, "");

describe("hooks on the command line", () => {
  test.skipIf(process.platform !== "linux")(
    "are removed where their secret cannot be printed, and that is said",
    async () => {
      using program = new Program({ HOOK_PRIVATE: "1" });
      await load(program, writtenRecord(1));
      for (const flags of ["--secret", "--secret --json"])
        expectRefusal(
          await program.runScript(`vitrine hook add ${email} http://127.0.0.1/ ${flags} >/dev/full`),
          {
            error: /^the secret could not be printed, and the hook is removed: .*no space left on device/,
            remedy: "the same again, where the output can be written",
          },
        );
      expect(await done(program, ["hook", "list", "--json"])).toBe("[]");
    },
  );

  test("start a workflow of a code host as their page shows it", async () => {
    using program = new Program({ HOOK_PRIVATE: "1", TOKEN: "token" });
    await load(program, writtenRecord(1));
    await using receiver = new Receiver(() => new Response(null, { status: 204 }));
    const [, example = ""] = fencesOf(readFile("docs/hooks.md"), "sh");
    const local = example
      .replace("ada@example.com", email)
      .replace("https://api.github.com/", receiver.url("/"));
    const { stdout } = await program.runScript(local);
    const [, id = ""] = /Added (\S+):/.exec(stdout) ?? [];
    expect((await program.run(["hook", "test", id])).exitCode).toBe(0);
    const [{ path, headers, body } = { path: "", headers: new Headers(), body: "" }] = receiver.received;
    expect([path, headers.get("Authorization"), headers.get("Content-Type"), JSON.parse(body)]).toEqual([
      "/repos/ada/site/dispatches",
      "Bearer token",
      "application/json",
      { event_type: "vitrine" },
    ]);
  });

  test("are added, listed, tried, told of and removed, and show nothing that is secret", async () => {
    using program = new Program({ HOOK_PRIVATE: "1" });
    await load(program, writtenRecord(1));
    const answers = [204, 500];
    await using receiver = new Receiver(
      () => new Response("told-nobody", { status: answers.shift() ?? 200 }),
    );
    const url = receiver.url("/secret-path?secret-query");
    const header = "Authorization: Bearer secret-header";
    const added = await program.run(["hook", "add", email, url, "--secret", "--header", header]);
    expect([added.exitCode, wordsOf(added.stdout + added.stderr)]).toEqual([
      0,
      wordsOf(exampleOf("vitrine hook add")),
    ]);
    const [, id = ""] = /Added (\S+):/.exec(added.stdout) ?? [];
    const [secret = ""] = /whsec_\S+/.exec(added.stdout) ?? [];

    const tried = await program.run(["hook", "test", id]);
    expect([tried.exitCode, wordsOf(tried.stdout)]).toEqual([0, wordsOf(exampleOf("vitrine hook test"))]);
    const [{ headers, body } = {} as Received] = receiver.received;
    expect(new Webhook(secret).verify(body, Object.fromEntries(headers))).toMatchObject({
      type: "hook.test",
    });
    expectRefusal(await program.run(["hook", "test", id]), {
      error: `the hook ${id} answered with 500`,
      remedy: `vitrine hook log ${id}`,
    });

    const log = JSON.parse(await done(program, ["hook", "log", id, "--json"])) as Record<string, unknown>[];
    expect(log.map(({ event, state, status }) => [event, state, status]).toSorted()).toEqual([
      ["hook.test", "delivered", 204],
      ["hook.test", "failed", 500],
    ]);
    const table = await done(program, ["hook", "log", id]);
    const [heading = ""] = exampleOf("vitrine hook log").trim().split("\n");
    expect(wordsOf(table.split("\n")[0] ?? "")).toEqual(wordsOf(heading));
    const list = await done(program, ["hook", "list"]);
    const seen = [table, JSON.stringify(log), list, await done(program, ["hook", "list", email, "--json"])];
    for (const text of seen) expect(text).not.toMatch(/secret-|whsec_|told-nobody/);

    await done(program, ["hook", "remove", id]);
    expect(JSON.parse(await done(program, ["hook", "list", "--json"]))).toEqual([]);
    for (const command of ["test", "remove", "log"])
      expectRefusal(await program.run(["hook", command, id]), {
        error: `there is no hook with the id ${id}`,
        remedy: "vitrine hook list",
      });
  });

  test("take the names of events as they are listed, with a space behind each comma", async () => {
    using program = new Program({ HOOK_PRIVATE: "1" });
    await load(program, writtenRecord(1));
    const events = "record.changed, key.expiring";
    const added = await done(program, [
      "hook",
      "add",
      email,
      "http://127.0.0.1/",
      "--events",
      events,
      "--json",
    ]);
    expect(JSON.parse(added)).toMatchObject({ events: ["record.changed", "key.expiring"] });
    expect(await done(program, ["hook", "list"])).toContain(events);
  });

  test("that a flag has let into the own network are tried with it, and without it say what to set", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using receiver = new Receiver();
    const added = await program.run(["hook", "add", email, receiver.url("/"), "--hook-private", "1"]);
    const [, test = ""] = /^Try it with: (.+)$/m.exec(added.stderr) ?? [];
    expect((await program.runScript(test)).exitCode).toBe(0);
    const [, , , id = ""] = test.split(" ");
    expectRefusal(await program.run(["hook", "test", id]), {
      error: `the hook ${id} leads to an address that is not of the public Internet`,
      remedy: /^HOOK_PRIVATE=1/,
    });
  });

  test("refuse what they may not lead to, without repeating it", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const refusals = [
      {
        args: [email, "http://127.0.0.1/secret-"],
        error: /not of the public Internet/,
        remedy: /HOOK_PRIVATE=1/,
      },
      {
        args: [email, "ftp://host.example/secret-"],
        error: /^the URL cannot be used: its scheme/,
        exitCode: 2,
      },
      { args: ["nobody@example.com", "https://host.example/"], error: "there is no user nobody@example.com" },
      {
        args: [email, "https://8.8.8.8/", "--header", "secret-"],
        error: /^the header cannot be used: it is not of the form/,
        exitCode: 2,
      },
      { args: [email, "https://8.8.8.8/", "--events", "all"], error: /there is no event all/, exitCode: 2 },
    ] as const;
    for (const { args, ...expected } of refusals) {
      const outcome = await program.run(["hook", "add", ...args]);
      expectRefusal(outcome, expected);
      expect(outcome.stderr).not.toContain("secret-");
    }
    expect(await done(program, ["hook", "list"])).toStartWith("There are no hooks.");
  });
});

describe("serve", () => {
  test("announces what is imported, and sends again what it was killed in the middle of", async () => {
    using program = new Program({ HOOK_PRIVATE: "1", HOOK_DELAY: "0" });
    await load(program, writtenRecord(1));
    const hanging = Promise.withResolvers<Response>();
    let answer: () => Response | Promise<Response> = () => hanging.promise;
    await using receiver = new Receiver(() => answer());
    const { id } = JSON.parse(
      await done(program, ["hook", "add", email, receiver.url(), "--secret", "--json"]),
    ) as {
      id: string;
    };
    await done(program, ["import", "-"], changedRecord("One"));

    const first = await program.serve();
    await until("the first message", () => receiver.received.length === 1);
    await first.stop("SIGKILL");
    answer = () => new Response();
    hanging.resolve(new Response());
    await endLeases(program);
    await using second = await program.serve(["serve", "--metrics-port", "0"]);
    await until("the delivery", async () => (await logOf(program, id))[0]?.state === "delivered");
    const ids = receiver.received.map(({ headers }) => headers.get("webhook-id"));
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);

    await done(program, ["import", "-"], changedRecord("Two"));
    await until("the next change", () => receiver.received.length === 3);
    await until("its end", async () => (await logOf(program, id))[0]?.state === "delivered");
    const [metricsUrl = ""] = /http:\/\/[^"]+\/metrics/.exec(second.output()) ?? [];
    const metrics = await (await fetch(metricsUrl)).text();
    expect(metrics).toContain('vitrine_hooks{state="active"} 1\n');
    expect(metrics).toContain('vitrine_hook_tries_total{result="delivered"} 2\n');
    expect(await second.stop()).toBe(0);
    expect(second.output()).not.toMatch(/whsec_|"level":"(?:warn|error)"/);
  });
});

describe("doctor", () => {
  test("tells of a hook that is failing", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const target = { url: "https://hook.example/secret-path", headers: [], body: null, secret: null };
    const { id } = await withDatabase(program, (store) =>
      store.hooks.add({ ...target, email, events: ["record.changed"] }),
    );
    expect(await done(program, ["doctor"])).toContain("Hooks: none of 1 is failing");
    await tamperWith(program, "UPDATE hooks SET failing_since = 1");
    const { stdout, exitCode } = await program.run(["doctor"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`Hooks: 1 hook of 1 cannot be delivered to: ${id} of ${email} is failing`);
    expect(stdout).toContain(`vitrine hook log ${id}`);
    expect(stdout).not.toContain("secret-path");
  });
});
