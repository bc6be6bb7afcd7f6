import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, emails, expectRefusal, KEY, listKeys, withKey } from "../support/command-line.ts";
import { FROM_SOURCE, Program, type ServingProgram, VITRINE } from "../support/program.ts";

setDefaultTimeout(300_000);

const SAMPLE_EMAIL = "mira.solberg@example.com";

function curlLineOf(server: ServingProgram): string {
  return /^ *(curl .+)$/m.exec(server.output())?.[1] ?? "";
}

function keyOf(server: ServingProgram): string {
  return /^ *(vit_\w+)$/m.exec(server.output())?.[1] ?? "";
}

describe("demo on an empty database", () => {
  test("prints its address, a key and a curl line", async () => {
    using program = new Program();
    await using server = await program.serve(["demo"]);
    expect(keyOf(server)).toMatch(KEY);
    expect(server.output()).toContain(`is serving a sample profile at ${server.url}`);
    expect(curlLineOf(server)).toBe(
      `curl -H "Authorization: Bearer ${keyOf(server)}" ${server.url}/user/full`,
    );
  });

  test("prints a curl line that works as it stands", async () => {
    using program = new Program();
    await using server = await program.serve(["demo"]);
    const answer = JSON.parse(await runCurlLine(curlLineOf(server))) as { email: string };
    expect(answer.email).toBe(SAMPLE_EMAIL);
  });

  test("shows a profile in which every part of the product is to be seen", async () => {
    using program = new Program();
    await using server = await program.serve(["demo"]);
    const read = async (path: string) => (await fetch(server.url + path, withKey(keyOf(server)))).json();
    const full = (await read("/user/full")) as SampleProfile;

    const { isPublic, slug, updatedAt, ...fields } = full.profile;
    const shown = Object.values(fields) as { isPublic: boolean; value: string | null }[];
    expect(shown.some((field) => field.isPublic && field.value !== null)).toBe(true);
    expect(shown.some((field) => !field.isPublic && field.value !== null)).toBe(true);
    expect(shown.some((field) => field.value === null)).toBe(true);
    for (const part of [full.jobs, full.projects, full.linkTrees, full.education])
      expect(part.length).toBeGreaterThan(1);
    for (const tree of full.linkTrees) expect(tree.links.length).toBeGreaterThan(0);
    expect(new Set(full.jobs.map((job) => job.isCurrent))).toEqual(new Set([true, false]));
    expect(new Set(full.jobs.map((job) => job.isPublic))).toEqual(new Set([true, false]));
    expect(new Set(full.projects.map((project) => project.jobId === null))).toEqual(new Set([true, false]));
    expect(new Set(full.projects.map((project) => project.endDate === null))).toEqual(new Set([true, false]));

    const links = (await read("/user/links")) as Record<string, string | null>;
    const values = Object.values(links);
    expect(values.some((value) => value === null)).toBe(true);
    expect(values.some((value) => value !== null)).toBe(true);
  });

  test("shows a picture of its own, for which no network is needed", async () => {
    using program = new Program();
    await using server = await program.serve(["demo", "--public-url", "https://links.example"]);
    const page = await (await fetch(`${server.url}/t/mira`)).text();
    const path = /<img src="https:\/\/links\.example(\/media\/[^"]*)"/.exec(page)?.[1] ?? "";
    const picture = await fetch(server.url + path);
    expect([picture.status, picture.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
  });

  test("names commands as they can be typed: npx would fetch somebody else's where there is no checkout", async () => {
    using built = new Program();
    await using server = await built.serve(["demo"]);
    const vitrine = VITRINE.length === 1 ? "vitrine" : "npx vitrine";
    expect(server.output()).toContain(`Load your own with: ${vitrine} import FILE\n`);
    using fromSource = new Program({}, FROM_SOURCE);
    await using other = await fromSource.serve(["demo"]);
    expect(other.output()).toContain("Load your own with: npx vitrine import FILE\n");
  });

  test("names the database that a flag has named", async () => {
    using program = new Program({ DATABASE_URL: "" });
    const named = ["demo", "--database", "sqlite:other.db"];
    await using first = await program.serve(named);
    expect(first.output()).toContain("vitrine import FILE --database sqlite:other.db\n");
    await first.stop();
    await using second = await program.serve(named);
    expect(second.output()).toContain("vitrine user list --database sqlite:other.db\n");
  });

  test("whose port is taken names itself with another one, and no server that has nothing to show", async () => {
    using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const args = ["demo", "--port", String(taken.port), "--database", "sqlite:other.db"];
    const said = (command: string) => ({
      error: `port ${taken.port} of 127.0.0.1 is in use`,
      remedy: `${command} --port ${taken.port + 1} --database sqlite:other.db`,
    });
    using program = new Program();
    expectRefusal(await program.run(args), said(VITRINE.length === 1 ? "vitrine demo" : "npm start --"));
    using fromSource = new Program({}, FROM_SOURCE);
    expectRefusal(await fromSource.run(args), said("npm start --"));
  });

  test("ends with 0 when it is told to stop", async () => {
    using program = new Program();
    await using server = await program.serve(["demo"]);
    expect(await server.stop("SIGINT")).toBe(0);
  });
});

interface SampleProfile {
  readonly profile: Record<string, unknown>;
  readonly jobs: { isCurrent: boolean; isPublic: boolean }[];
  readonly projects: { jobId: string | null; endDate: string | null }[];
  readonly linkTrees: { links: unknown[] }[];
  readonly education: unknown[];
}

/** The shell and curl where there is a curl; else the same request by the same words. */
async function runCurlLine(line: string): Promise<string> {
  if (Bun.which("curl")) {
    const child = Bun.spawn(["sh", "-c", `${line} --silent --fail`], { stdout: "pipe", stderr: "inherit" });
    return new Response(child.stdout).text();
  }
  const [, header = "", value = "", url = ""] = /^curl -H "(\w+): ([^"]+)" (\S+)$/.exec(line) ?? [];
  return (await fetch(url, { headers: { [header]: value } })).text();
}

describe("demo on a database that holds somebody", () => {
  test("makes no data and no key, and says so", async () => {
    using program = new Program();
    await using first = await program.serve(["demo"]);
    const key = keyOf(first);
    await first.stop();
    const keys = await listKeys(program, SAMPLE_EMAIL);

    await using second = await program.serve(["demo"]);
    expect(second.output()).not.toContain("vit_");
    expect(second.output()).toContain(`is serving 1 user from ${program.databaseName} at ${second.url}`);
    expect(second.output()).toContain("Keys made earlier go on working");
    expect((await fetch(`${second.url}/user/full`, withKey(key))).status).toBe(200);
    await second.stop();
    expect((await listKeys(program, SAMPLE_EMAIL)).map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
    expect(await emails(program)).toEqual([SAMPLE_EMAIL]);
  });

  test("leaves another profile alone", async () => {
    using program = new Program();
    const sample = await Bun.file(new URL("../../sample/profile.yaml", import.meta.url)).text();
    await done(program, ["import", "-"], sample.replace(SAMPLE_EMAIL, "someone@example.com"));
    await using server = await program.serve(["demo"]);
    await server.stop();
    expect(await emails(program)).toEqual(["someone@example.com"]);
    expect(await listKeys(program, "someone@example.com")).toEqual([]);
  });
});
