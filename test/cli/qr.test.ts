import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { done, expectRefusal, load } from "../support/command-line.ts";
import { withValue } from "../support/edit-record.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const PUBLIC = { PUBLIC_URL: "https://links.example" };

async function loaded(environment: Record<string, string> = PUBLIC): Promise<Program> {
  const program = new Program(environment);
  await load(program, withValue(writtenRecord(), "linkTrees[1].slug", "ünï cødé"));
  return program;
}

describe("qr", () => {
  test("prints a code with the page's address below", async () => {
    using program = await loaded();
    const { stdout, stderr, exitCode } = await program.run(["qr", "everything-1"]);
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toEndWith("https://links.example/t/everything-1\n");
    expect(stdout.match(/[█▀▄]/g)?.length).toBeGreaterThan(150);
  });

  test("brings its own colours on a terminal", async () => {
    using program = await loaded();
    const { screen, exitCode } = await program.runOnTerminal(["qr", "everything-1"]);
    expect(exitCode).toBe(0);
    expect(screen).toContain("\x1b[47m");
  });

  test("is plain text on a terminal that does nothing but print", async () => {
    using program = await loaded();
    const { screen } = await program.runOnTerminal(["qr", "everything-1"], undefined, { TERM: "dumb" });
    expect(screen).not.toContain("\x1b");
  });

  test("encodes the slug", async () => {
    using program = await loaded();
    expect(await done(program, ["qr", "ünï cødé"])).toEndWith("/t/%C3%BCn%C3%AF%20c%C3%B8d%C3%A9");
  });

  test("without a public address says which one it takes", async () => {
    using program = await loaded({});
    const { stdout, stderr } = await program.run(["qr", "everything-1", "--port", "8080"]);
    expect(stdout).toEndWith("http://127.0.0.1:8080/t/everything-1\n");
    expect(stderr).toContain("PUBLIC_URL is not set");
  });

  test("writes SVG and PNG, by the ending of the name", async () => {
    using program = await loaded();
    for (const [file, start] of [
      ["code.svg", "<svg"],
      ["code.PNG", "\x89PNG"],
    ] as const) {
      expect(await done(program, ["qr", "everything-1", "--out", file])).toBe(
        `Wrote ${file}, which leads to https://links.example/t/everything-1`,
      );
      const bytes = await Bun.file(program.folder.file(file)).bytes();
      expect(Buffer.from(bytes).toString("latin1")).toStartWith(start);
      expect(statSync(program.folder.file(file)).size).toBeGreaterThan(500);
    }
  });

  test("refuses a file of another kind, a folder that is not there, and a tree that is not", async () => {
    using program = await loaded();
    expectRefusal(await program.run(["qr", "everything-1", "--out", "code.gif"]), {
      error: "code.gif must end in .svg or .png",
      remedy: "vitrine qr everything-1 --out everything-1.svg",
      exitCode: 2,
    });
    expectRefusal(await program.run(["qr", "nowhere"]), {
      error: "there is no link tree nowhere whose page is on",
      remedy: "vitrine user show EMAIL",
    });
  });

  test("does not say of a link tree whose page is off that there is none", async () => {
    using program = new Program(PUBLIC);
    await load(program, withValue(writtenRecord(1), "linkTrees[0].hasPage", false));
    const { stderr } = await program.run(["qr", "everything-1"]);
    expect(stderr).toContain("there is no link tree everything-1 whose page is on");
    const shown = await done(program, ["user", "show", writtenRecord(1).email]);
    expect(shown).toMatch(/^Link tree +everything-1: Everything \(2 links, page off\)$/m);
  });
});
