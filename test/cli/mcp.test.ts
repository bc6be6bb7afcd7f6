import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Agent, ASKED } from "../support/agents.ts";
import { run } from "../support/client-package.ts";
import { done, expectRefusal, load } from "../support/command-line.ts";
import { markedRecord } from "../support/marked-record.ts";
import { withoutTool } from "../support/missing-tool.ts";
import { Program, VITRINE } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { bearer } from "../support/server.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

/** All that an agent can learn, by the name of the tool. */
async function everything(agent: Agent, slug = "everything-1"): Promise<Record<string, unknown>> {
  const answers = Object.keys(ASKED).map(async (name) => {
    const args = name === "get_link_tree" ? { slug } : {};
    return [name, (await agent.call(name, args)).structuredContent];
  });
  return Object.fromEntries(await Promise.all(answers));
}

test("vitrine mcp answers about a user of the database, and about the owner of a key elsewhere, alike", async () => {
  using program = new Program();
  await load(program, writtenRecord(1), writtenRecord(2));
  const key = await done(program, ["key", "create", email]);
  await using server = await program.serve();
  await using here = await Agent.starting(program, ["mcp", email]);
  await using there = await Agent.starting(program, ["mcp"], { VITRINE_URL: server.url, VITRINE_KEY: key });
  const told = await everything(here);
  expect(await everything(there)).toEqual(told);
  const jobs: unknown = await (await fetch(`${server.url}/user/jobs`, { headers: bearer(key) })).json();
  expect(told.list_jobs).toEqual({ jobs });
  for (const agent of [here, there]) {
    expect(await agent.call("get_link_tree", { slug: "everything-2" })).toMatchObject({
      isError: true,
      text: "Link tree not found",
    });
    expect(JSON.parse(await agent.resource("vitrine://user/full"))).toMatchObject({ email });
  }
});

test("vitrine mcp shows of a user of the database what everybody may see, where that is asked for", async () => {
  using program = new Program();
  const record = markedRecord();
  await load(program, record);
  const key = await done(program, ["key", "create", record.email, "--view", "public"]);
  await using server = await program.serve();
  await using here = await Agent.starting(program, ["mcp", record.email, "--view", "public"]);
  await using there = await Agent.starting(program, ["mcp"], { VITRINE_URL: server.url, VITRINE_KEY: key });
  const [told, toldThere] = await Promise.all(
    [here, there].map(async (agent) => ({
      ...(await everything(agent, "shown-tree")),
      full: JSON.parse(await agent.resource("vitrine://user/full")),
    })),
  );
  expect(told).toEqual(toldThere as NonNullable<typeof toldThere>);
  expect(told).toMatchObject({
    get_profile: { profile: { phone: { value: null } } },
    get_link_tree: { title: "Shown Tree" },
  });
  expect(JSON.stringify(told)).not.toContain(record.email);
});

test("vitrine mcp ends well when the program that started it is done", async () => {
  using program = new Program();
  await load(program, writtenRecord(1));
  const asked = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`;
  expect(await program.run(["mcp", email], asked)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
});

test("vitrine mcp answers what it was asked by a program whose questions end right behind that", async () => {
  using program = new Program();
  await load(program, writtenRecord(1));
  const key = await done(program, ["key", "create", email]);
  await using server = await program.serve();
  const asked = ["get_links", "list_jobs"].map((name, id) =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: {} } }),
  );
  const { stdout, exitCode } = await program.run(["mcp"], `${asked.join("\n")}\n`, {
    VITRINE_URL: server.url,
    VITRINE_KEY: key,
  });
  const answers = stdout.trim().split("\n");
  expect(answers.map((answer) => (JSON.parse(answer) as { id: number }).id).sort()).toEqual([0, 1]);
  expect(exitCode).toBe(0);
});

test("vitrine mcp ends when nobody takes its answers, also where its input stays open", async () => {
  using program = new Program();
  await load(program, writtenRecord(1));
  const child = Bun.spawn([...VITRINE, "mcp", email], {
    cwd: program.folder.path,
    env: program.environment,
    stdin: "pipe",
    stdout: "pipe",
  });
  const ping = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`;
  child.stdin.write(ping(1));
  const reader = child.stdout.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('"id":1');
  await reader.cancel();
  // An answer that comes before the pipe is closed is taken by it, and tells nothing.
  await until("it to find that nobody is there", () => {
    if (child.exitCode === null) child.stdin.write(ping(2));
    return child.exitCode !== null;
  });
  expect(child.exitCode).toBe(0);
});

test("vitrine mcp says what it lacks", async () => {
  using program = new Program();
  await load(program, writtenRecord(1));
  const [nobody, noView, viewElsewhere, nothing, noKey, noAddress, insecure] = await Promise.all([
    program.run(["mcp", "nobody@example.com"]),
    program.run(["mcp", email, "--view", "some"]),
    program.run(["mcp", "--view", "public"], undefined, { VITRINE_URL: "https://links.example" }),
    program.run(["mcp"]),
    program.run(["mcp"], undefined, { VITRINE_URL: "https://links.example" }),
    program.run(["mcp"], undefined, { VITRINE_URL: "links.example", VITRINE_KEY: "vit_" }),
    program.run(["mcp"], undefined, { VITRINE_URL: "http://links.example", VITRINE_KEY: "vit_" }),
  ]);
  expectRefusal(nobody, { error: /no user .*nobody@example\.com/ });
  expectRefusal(noView, { error: "--view must be full or public", exitCode: 2 });
  expectRefusal(viewElsewhere, { error: /^--view is for a user of the database/, exitCode: 2 });
  expectRefusal(nothing, { error: /\(VITRINE_URL is not set\)$/, exitCode: 2 });
  expectRefusal(noKey, { error: /\(VITRINE_KEY is not set\)$/, exitCode: 2 });
  expectRefusal(noAddress, { error: /^VITRINE_URL must be the http or https address/, exitCode: 2 });
  expectRefusal(insecure, { error: /use https$/, exitCode: 2 });
});

/** CI installs it: as a dependency its 110 MB would be everybody's, for one sentence. */
const inspector = Bun.which("mcp-inspector");

function inspectorSentences(): void {
  test("lists the tools, over HTTP and over standard input and output", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", email]);
    await using server = await program.serve();
    const over = [
      [`${server.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`],
      // It hands nothing of its environment on.
      [...VITRINE, "mcp", email, "--database", program.environment.DATABASE_URL ?? "sqlite:vitrine.db"],
    ];
    for (const target of over) {
      const command = [process.execPath, inspector ?? "", "--cli", ...target, "--method", "tools/list"];
      const said = await run(command, { cwd: program.folder.path });
      const { tools } = JSON.parse(said) as { tools: { name: string }[] };
      expect(tools.map(({ name }) => name)).toEqual(Object.keys(ASKED));
    }
  });
}

const INSPECTOR_TITLE = "the inspector's command line";
if (inspector) describe(INSPECTOR_TITLE, inspectorSentences);
else withoutTool(INSPECTOR_TITLE, "no mcp-inspector on the PATH", inspectorSentences);
