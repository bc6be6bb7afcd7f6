import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { stringify } from "yaml";
import {
  done,
  emails,
  expectRefusal,
  fewerPeople,
  hasDatabase,
  load,
  manyPeople,
  ndjson,
  withKey,
} from "../support/command-line.ts";
import { Gate } from "../support/gate.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { withoutOverride } from "../support/without-override.ts";

setDefaultTimeout(300_000);

const one = writtenRecord(1);
const two = writtenRecord(2);
const three = writtenRecord(3);

/** So many that an import works on them in several parts. */
const LARGE = 1_200;

/** The same with longer people. */
const LONG = 360;

/**
 * What is printed before the closing `Error:`: a line for each problem, without where in the file it is and what to do
 * about it, of which there are tests of their own.
 */
function problemsIn(stderr: string): string[] {
  return stderr
    .slice(0, stderr.search(/^Error: /m))
    .split("\n")
    .slice(0, -1)
    .filter((line) => !line.startsWith("  "))
    .map((line) => line.replace(/((?:ndjson|input): line \d+), column \d+/, "$1"))
    .map((line) => line.replace(/: line \d+, column \d+/, ""))
    .map((line) => line.replace(/: (?:add|put|write|take away|use|close|give|the text ends) .*$/, ""));
}

describe.concurrent("import takes", () => {
  const both = "created    person1@example.com\ncreated    person2@example.com\n";
  const forms = [
    { form: "one record as JSON", name: "a.json", content: JSON.stringify(one), people: 1 },
    {
      form: "one record as JSON on many lines",
      name: "a.json",
      content: JSON.stringify(one, null, 2),
      people: 1,
    },
    { form: "one record as YAML", name: "a.yaml", content: stringify(one), people: 1 },
    { form: "one record as .yml", name: "a.yml", content: stringify(one), people: 1 },
    { form: "an array of records as JSON", name: "a.json", content: JSON.stringify([one, two]), people: 2 },
    { form: "an array of records as YAML", name: "a.yaml", content: stringify([one, two]), people: 2 },
    {
      form: "several YAML documents",
      name: "a.yaml",
      content: `---\n${stringify(one)}---\n${stringify(two)}`,
      people: 2,
    },
    { form: "NDJSON", name: "a.ndjson", content: ndjson([one, two]), people: 2 },
    { form: "JSON lines", name: "a.jsonl", content: ndjson([one, two]), people: 2 },
    {
      form: "NDJSON without a last newline",
      name: "a.ndjson",
      content: ndjson([one, two]).trim(),
      people: 2,
    },
    {
      form: "NDJSON with blank lines and Windows line ends",
      name: "a.ndjson",
      content: ndjson([one, two]).replaceAll("\n", "\r\n\r\n"),
      people: 2,
    },
    { form: "NDJSON that is called .json", name: "a.json", content: ndjson([one, two]), people: 2 },
    {
      form: "JSON behind a byte order mark",
      name: "a.json",
      content: `\uFEFF${JSON.stringify(one)}`,
      people: 1,
    },
    {
      form: "JSON in a file of unknown ending",
      name: "people",
      content: JSON.stringify([one, two]),
      people: 2,
    },
    {
      form: "NDJSON in a file of unknown ending",
      name: "people.txt",
      content: ndjson([one, two]),
      people: 2,
    },
    {
      form: "YAML in a file of unknown ending",
      name: "people.txt",
      content: stringify([one, two]),
      people: 2,
    },
  ];

  test.each(forms)("$form", async ({ name, content, people }) => {
    using program = new Program();
    const outcome = await program.run(["import", await program.put(name, content)]);
    expect(outcome.stderr).toBe("");
    expect(outcome.stdout).toBe(
      people === 1
        ? "created    person1@example.com\n"
        : `${both}2 records: 2 created, 0 updated, 0 unchanged\n`,
    );
    expect(outcome.exitCode).toBe(0);
    expect(await emails(program)).toEqual([one.email, two.email].slice(0, people));
  });

  test.each([
    { form: "JSON", content: JSON.stringify([one, two]) },
    { form: "NDJSON", content: ndjson([one, two]) },
    { form: "YAML", content: stringify([one, two]) },
  ])("$form from standard input", async ({ content }) => {
    using program = new Program();
    const { stdout, exitCode } = await program.run(["import", "-"], content);
    expect(stdout).toStartWith(both);
    expect(exitCode).toBe(0);
  });

  test("a pipe that is named like a file", async () => {
    using program = new Program();
    const gate = new Gate(program.folder.file("people"));
    const outcome = program.run(["import", "people"]);
    await gate.reached();
    gate.open(JSON.stringify([one, two]));
    expect((await outcome).stdout).toStartWith(both);
  });

  test("several files, of different forms, and standard input among them", async () => {
    using program = new Program();
    await program.put("one.json", JSON.stringify(one));
    await program.put("three.yaml", stringify(three));
    const { stdout } = await program.run(["import", "one.json", "-", "three.yaml"], ndjson([two]));
    expect(stdout).toBe(
      `${both}created    person3@example.com\n3 records: 3 created, 0 updated, 0 unchanged\n`,
    );
  });

  test("what `export` prints, on another installation, to the byte", async () => {
    using program = new Program();
    await load(program, one, two);
    const exported = await done(program, ["export", "--all"]);
    await done(program, ["import", "-", "--database", "sqlite:other.db"], exported);
    expect(await done(program, ["export", "--all", "--database", "sqlite:other.db"])).toBe(exported);
    expect(await done(program, ["import", "-"], exported)).toEndWith("0 created, 0 updated, 2 unchanged");
  });

  test("what GET /user/full answers, which changes nothing", async () => {
    using program = new Program();
    await load(program, one);
    const key = await done(program, ["key", "create", one.email]);
    await using server = await program.serve();
    const full = await (await fetch(`${server.url}/user/full`, withKey(key))).text();
    expect(await done(program, ["import", await program.put("full.json", full)])).toBe(
      "unchanged  person1@example.com",
    );
    expect(await (await fetch(`${server.url}/user/full`, withKey(key))).text()).toBe(full);
  });
});

describe.concurrent("import tells", () => {
  test("what became of each record", async () => {
    using program = new Program();
    await load(program, one, two);
    await program.put("people.ndjson", ndjson([one, { ...two, codehostId: 5 }, three]));
    expect(await program.run(["import", "people.ndjson"])).toEqual({
      stdout: [
        "unchanged  person1@example.com",
        "updated    person2@example.com",
        "created    person3@example.com",
        "3 records: 1 created, 1 updated, 1 unchanged",
        "",
      ].join("\n"),
      stderr: "",
      exitCode: 0,
    });
  });

  test("the same as JSON, when asked to", async () => {
    using program = new Program();
    await load(program, one, two);
    const { stdout } = await program.run(["import", "-", "--json"], ndjson([{ ...one, codehostId: 5 }, two]));
    expect(JSON.parse(stdout)).toEqual({ dryRun: false, records: 2, created: 0, updated: 1, unchanged: 1 });
  });

  test("only the sums when the records are many, and that a second time changes nothing", async () => {
    using program = new Program();
    await program.put("people.ndjson", manyPeople(600));
    expect(await done(program, ["import", "people.ndjson"])).toBe(
      "600 records: 600 created, 0 updated, 0 unchanged",
    );
    const before = await done(program, ["export", "--all"]);
    expect(await done(program, ["import", "people.ndjson"])).toBe(
      "600 records: 0 created, 0 updated, 600 unchanged",
    );
    expect(await done(program, ["export", "--all"])).toBe(before);
  });

  test.each([
    { what: "an empty NDJSON file", name: "nobody.ndjson", content: "" },
    { what: "an empty array", name: "nobody.json", content: "[]" },
    { what: "a YAML file with nothing but a comment", name: "nobody.yaml", content: "# nobody yet\n" },
  ])("that there is no record in $what, and makes no database", async ({ name, content }) => {
    using program = new Program();
    expectRefusal(await program.run(["import", await program.put(name, content)]), {
      error: `there is no record in ${name}; nothing was written`,
      remedy: "vitrine import --help",
    });
    expect(await hasDatabase(program)).toBe(false);
  });

  test("that there is no record on an empty standard input, and makes no database", async () => {
    using program = new Program();
    expectRefusal(await program.run(["import", "-"], ""), {
      error: "there is no record in standard input; nothing was written",
    });
    expect(await hasDatabase(program)).toBe(false);
  });

  test.each(["/dev/null", "/dev/stdin"])(
    "that there is no record in %s where that is empty",
    async (device) => {
      using program = new Program();
      expectRefusal(await program.runScript(`vitrine import ${device} < /dev/null`), {
        error: `there is no record in ${device}; nothing was written`,
        remedy: "vitrine import --help",
      });
    },
  );

  test("that an object has a name twice, and where both stand", async () => {
    using program = new Program();
    const text = JSON.stringify(writtenRecord(1), null, 2);
    const twice = text.replace('"slug": "person-1",', '"slug": "person-1",\n    "slug": "person-2",');
    const outcome = await program.run(["import", await program.put("twice.json", twice)]);
    expectRefusal(outcome, { error: "1 problem in 1 record; nothing was written" });
    expect(outcome.stderr).toMatch(
      /^twice\.json: line \d+, column 5: has profile\.slug twice: the first is in line \d+, column 5$/m,
    );
    const line = `${JSON.stringify(writtenRecord(1))}\n{"email":"a@b.example","x":[{"y":1,"y":2}]}\n`;
    const lines = await program.run(["import", await program.put("twice.ndjson", line)]);
    expect(lines.stderr).toContain(
      "twice.ndjson: line 2, column 36: has x[0].y twice: the first is in column 30\n",
    );
    expect(await hasDatabase(program)).toBe(false);
  });

  test.each(["long.json", "long.ndjson", "long.yaml"])(
    "that what is read as one text is too long, in %s",
    async (name) => {
      using program = new Program();
      // A file with a hole takes no room on the disk.
      await Bun.$`truncate -s 257M ${program.folder.file(name)}`;
      const outcome = await program.run(["import", name]);
      expectRefusal(outcome, {
        error: `${name.endsWith(".ndjson") ? "line 1" : "a file"} is longer than 268.4 MB; nothing was written`,
        remedy: "write one record a line, in a file that ends in .ndjson",
      });
    },
  );

  test.each([
    ["a pipe that the shell has made", "vitrine import <(cat people.ndjson) --json"],
    ["/dev/stdin", "cat people.ndjson | vitrine import /dev/stdin --json"],
    ["a YAML record from a pipe", "vitrine import <(cat one.yaml) --json"],
  ])("all records of what is no file: %s", async (_, script) => {
    using program = new Program();
    await program.put("people.ndjson", manyPeople(500));
    await program.put("one.yaml", stringify(writtenRecord(1)));
    const { stdout, stderr } = await program.runScript(script);
    const records = script.includes("yaml") ? 1 : 500;
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({ records, created: records });
  });
});

describe.concurrent("a file of another program", () => {
  const resume = JSON.stringify({ basics: { name: "Ada", email: "ada@example.com" } });

  test.each([
    ["a pipe that the shell has made", "vitrine import <(cat resume.json) --from jsonresume --json"],
    ["/dev/stdin", "cat resume.json | vitrine import /dev/stdin --from jsonresume --json"],
    ["standard input", "cat resume.json | vitrine import - --from jsonresume --json"],
  ])("may come from %s", async (_, script) => {
    using program = new Program();
    await program.put("resume.json", resume);
    const { stdout, stderr } = await program.runScript(script);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({ email: "ada@example.com", change: "created" });
  });

  test("has what is left out of it listed in short, and as data in full", async () => {
    using program = new Program();
    const photo = `data:image/png;base64,${"A".repeat(100_000)}`;
    await program.put("resume.json", JSON.stringify({ basics: { email: "ada@example.com", photo } }));
    const args = ["import", "resume.json", "--from", "jsonresume", "--dry-run"];
    const { stderr } = await program.run(args);
    expect(stderr).toMatch(/^ {2}basics\.photo: "data:image\/png;base64,A{100,300}…$/m);
    const { stdout } = await program.run([...args, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ leftOut: [`basics.photo: ${JSON.stringify(photo)}`] });
  });

  test("that is not there is told of by the command that was to take it", async () => {
    using program = new Program();
    for (const command of ["convert", "import"])
      expectRefusal(await program.run([command, "missing.json", "--from", "full"]), {
        error: "there is no file missing.json",
        remedy: `vitrine ${command} --help`,
      });
  });

  test.each([
    ["--email", "ada at example", "--email must be an e-mail address"],
    ["--slug", "Ada", "--slug must be lower case"],
  ])("is not said to be wrong where %s is", async (flag, value, error) => {
    using program = new Program();
    await program.put("resume.json", resume);
    for (const command of ["convert", "import"])
      expectRefusal(await program.run([command, "resume.json", "--from", "jsonresume", flag, value]), {
        error,
        remedy: "vitrine convert --help",
        exitCode: 2,
      });
  });

  test("is refused where it is too long, though only its end shows how long it is", async () => {
    using program = new Program();
    const script = "head -c 257M /dev/zero | vitrine convert - --from jsonresume";
    expectRefusal(await program.runScript(script), {
      error:
        "the file is too large: if it is LinkedIn's, take the folder that it was unpacked to; nothing was written",
      remedy: "vitrine convert --help",
    });
  });
});

describe.concurrent("a dry run", () => {
  test("says what would be done, and does not even make a database", async () => {
    using program = new Program();
    const { stdout, exitCode } = await program.run(["import", "--dry-run", "-"], ndjson([one, two]));
    expect(stdout).toBe(
      [
        "created    person1@example.com",
        "created    person2@example.com",
        "2 records: 2 created, 0 updated, 0 unchanged (dry run: nothing was written)",
        "",
      ].join("\n"),
    );
    expect(exitCode).toBe(0);
    expect(await hasDatabase(program)).toBe(false);
  });

  test("changes nothing in a database that is there", async () => {
    using program = new Program();
    await load(program, one);
    const before = await done(program, ["export", "--all"]);
    const { stdout } = await program.run(
      ["import", "--dry-run", "--json", "-"],
      ndjson([{ ...one, codehostId: 5 }, two]),
    );
    expect(JSON.parse(stdout)).toEqual({ dryRun: true, records: 2, created: 1, updated: 1, unchanged: 0 });
    expect(await done(program, ["export", "--all"])).toBe(before);
  });

  test("lists the problems that the import would have", async () => {
    using program = new Program();
    const wrong = ndjson([one, { ...two, codehostId: "5" }]);
    const rehearsed = await program.run(["import", "--dry-run", "-"], wrong);
    const imported = await program.run(["import", "-"], wrong);
    expect(rehearsed.exitCode).toBe(1);
    expect(rehearsed.stderr).toBe(imported.stderr);
  });
});

describe.concurrent("one bad record", () => {
  test("and nothing is written, not even a database", async () => {
    using program = new Program();
    await program.put("good.json", JSON.stringify(one));
    await program.put("bad.json", JSON.stringify({ ...two, email: "nobody" }));
    expectRefusal(await program.run(["import", "good.json", "bad.json"]), {
      error: "1 problem in 1 record; nothing was written",
    });
    expect(await hasDatabase(program)).toBe(false);
  });

  test("among thousands, and what is stored stays as it is", async () => {
    using program = new Program();
    await load(program, one);
    const before = await done(program, ["export", "--all"]);
    const people = manyPeople(LARGE).split("\n");
    const wrongLines = [1, LARGE / 2, LARGE];
    for (const line of wrongLines) people[line - 1] = "{}";
    const outcome = await program.run(["import", await program.put("people.ndjson", people.join("\n"))]);
    const missing = problemsIn(outcome.stderr).filter((line) => line.endsWith("email: is missing"));
    expect(missing).toEqual(wrongLines.map((line) => `people.ndjson: line ${line}: email: is missing`));
    expectRefusal(outcome, { error: /^\d+ problems in 3 records; nothing was written$/ });
    expect(await done(program, ["export", "--all"])).toBe(before);
  });

  test("and all problems of all files are listed by file, record and path", async () => {
    using program = new Program();
    const link = { label: "Wrong", url: "javascript:alert(1)" };
    await program.put("a.ndjson", ndjson([one, { ...two, codehostId: 1.5, jobs: 7 }]));
    await program.put(
      "b.yaml",
      stringify([{ ...three, linkTrees: [{ title: "T", slug: "t", links: [link] }], nickname: "x" }]),
    );
    await program.put("c.json", "[1]");
    const outcome = await program.run(["import", "a.ndjson", "b.yaml", "c.json"]);
    const places = problemsIn(outcome.stderr).map((line) => line.split(": ").slice(0, -1).join(": "));
    expect(places).toEqual([
      "a.ndjson: line 2: codehostId",
      "a.ndjson: line 2: jobs",
      "b.yaml: record 1: linkTrees[0].links[0].url",
      "b.yaml: record 1: nickname",
      "c.json: record 1",
    ]);
    expectRefusal(outcome, { error: "5 problems in 3 records; nothing was written" });
  });

  test("on standard input is found there", async () => {
    using program = new Program();
    const outcome = await program.run(["import", "-"], ndjson([one, {}]));
    expect(problemsIn(outcome.stderr)).toContain("standard input: line 2: email: is missing");
    expectRefusal(outcome, { error: /nothing was written$/ });
  });
});

describe.concurrent("two records of one import that want the same", () => {
  const rival = { ...two, email: one.email.toUpperCase(), profile: { ...two.profile, slug: "person-1" } };

  const beforehand = [
    { who: "neither", stored: [] },
    { who: "the first of them", stored: [one] },
  ];

  test.each(beforehand)(
    "are named with both places, each problem once, when $who is stored",
    async ({ stored }) => {
      using program = new Program();
      await load(program, ...stored);
      await program.put("people.json", JSON.stringify([three, one, rival]));
      const outcome = await program.run(["import", "people.json"]);
      expect(problemsIn(outcome.stderr)).toEqual([
        "people.json: record 3: email: is the same as in people.json: record 2",
        "people.json: record 3: profile.slug: is the same as in people.json: record 2",
      ]);
      expectRefusal(outcome, { error: "2 problems in 1 record; nothing was written" });
    },
  );

  test.each(beforehand)("are found in different files, when $who is stored", async ({ stored }) => {
    using program = new Program();
    await load(program, ...stored);
    await program.put("a.json", JSON.stringify([three, one]));
    await program.put("b.ndjson", ndjson([rival]));
    const outcome = await program.run(["import", "a.json", "b.ndjson"]);
    expect(problemsIn(outcome.stderr)).toEqual([
      "b.ndjson: line 1: email: is the same as in a.json: record 2",
      "b.ndjson: line 1: profile.slug: is the same as in a.json: record 2",
    ]);
    expectRefusal(outcome, { error: "2 problems in 1 record; nothing was written" });
  });

  test("are found however far apart they stand", async () => {
    using program = new Program();
    const [tree] = one.linkTrees;
    const rival = { ...writtenRecord(99_999), linkTrees: [tree] };
    await program.put("people.ndjson", fewerPeople(LONG) + ndjson([rival]));
    const outcome = await program.run(["import", "people.ndjson"]);
    expect(problemsIn(outcome.stderr)).toEqual([
      `people.ndjson: line ${LONG + 1}: linkTrees[0].slug: is the same as in people.ndjson: line 1`,
    ]);
    expectRefusal(outcome, { error: "1 problem in 1 record; nothing was written" });
  });

  test("are found when they reach one stored user, one by the id and one by the e-mail address", async () => {
    using program = new Program();
    await load(program, one);
    const { id } = JSON.parse(await done(program, ["export", one.email])) as { id: string };
    const byId = { ...writtenRecord(99_999), id };
    await program.put("people.ndjson", ndjson([byId]) + fewerPeople(LONG, 2) + ndjson([one]));
    const outcome = await program.run(["import", "people.ndjson"]);
    expect(problemsIn(outcome.stderr)).toEqual([
      `people.ndjson: line ${LONG + 2}: email: is the same as in people.ndjson: line 1`,
    ]);
    expectRefusal(outcome, { error: "1 problem in 1 record; nothing was written" });
  });

  test.each([1, 200])("are refused when a file of %d is named twice by mistake", async (count) => {
    using program = new Program();
    await program.put("people.ndjson", manyPeople(count));
    const outcome = await program.run(["import", "people.ndjson", "people.ndjson"]);
    expectRefusal(outcome, { error: /./ });
    expect(outcome.stderr).toContain("people.ndjson");
    expect(outcome.stderr).not.toContain("already taken");
    expect(outcome.stderr).not.toContain("another writer");
  });
});

describe.concurrent("a record that wants what another user has", () => {
  test("is refused with its place and with the owner", async () => {
    using program = new Program();
    await load(program, one);
    const [tree] = one.linkTrees;
    const rival = { ...two, profile: { ...two.profile, slug: "person-1" }, linkTrees: [tree] };
    const outcome = await program.run(["import", await program.put("b.ndjson", ndjson([three, rival]))]);
    expect(problemsIn(outcome.stderr)).toEqual([
      "b.ndjson: line 2: profile.slug: is already taken by person1@example.com",
      "b.ndjson: line 2: linkTrees[0].slug: is already taken by person1@example.com",
    ]);
    expectRefusal(outcome, { error: "2 problems in 1 record; nothing was written" });
    expect(await emails(program)).toEqual([one.email]);
  });
});

describe.concurrent("a file that cannot be read as records is refused:", () => {
  test.each([
    {
      what: "JSON that breaks off",
      name: "broken.json",
      content: '{\n  "email": "ada@example.com",\n',
      problem:
        "broken.json: line 3, column 1: is not JSON from here on: the text ends too early: close what is open",
    },
    {
      what: "JSON with a comma too many",
      name: "broken.json",
      content: '{\n  "technologies": ["a", ]\n}',
      problem: "broken.json: line 2, column 25: is not JSON from here on: take away the comma before it",
    },
    {
      what: "JSON that begins with something else",
      name: "broken.json",
      content: "hello",
      problem: 'broken.json: line 1, column 1: is not JSON from here on: put it in quotes: "…"',
    },
    {
      what: "a line that is not JSON",
      name: "people.ndjson",
      content: `${ndjson([one])}\n{"email": oops}\n`,
      problem: 'people.ndjson: line 3, column 11: is not JSON from here on: put it in quotes: "…"',
    },
    {
      what: "YAML with a bracket left open",
      name: "broken.yaml",
      content: "email: ada@example.com\njobs: [1, 2\nprojects: []\n",
      problem: /^broken\.yaml: line 3, column 1: does not close what it opens: /,
    },
    {
      what: "YAML that grows without end",
      name: "laughs.yaml",
      content: `a: &a [1,2,3,4,5,6,7,8,9]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`,
      problem:
        "laughs.yaml: line 4, column 17: has more than 500 aliases, with those within what they stand for: write out what they stand for",
    },
  ])("$what", async ({ name, content, problem }) => {
    using program = new Program();
    const outcome = await program.run(["import", await program.put(name, content)]);
    const [first = "", ...more] = outcome.stderr.split(/\n(?! {2})/).slice(0, -3);
    expect(first.split("\n")[0] ?? "").toMatch(
      problem instanceof RegExp ? problem : new RegExp(`^${RegExp.escape(problem)}$`),
    );
    expect(more).toEqual([]);
    expectRefusal(outcome, { error: "1 problem in 1 record; nothing was written" });
  });

  test.each(["latin.json", "latin.yaml"])("%s, which is not UTF-8", async (name) => {
    using program = new Program();
    const latin = Buffer.from(JSON.stringify({ ...one, email: "andré@example.com" }), "latin1");
    const outcome = await program.run(["import", await program.put(name, latin)]);
    expect(problemsIn(outcome.stderr)).toEqual([`${name}: is not UTF-8 text: save it as UTF-8`]);
    expectRefusal(outcome, { error: /nothing was written$/ });
  });

  test("a line that is not UTF-8, by its number", async () => {
    using program = new Program();
    const bytes = Buffer.concat([Buffer.from(ndjson([one])), Buffer.from([0x7b, 0xff, 0x7d, 0x0a])]);
    const outcome = await program.run(["import", await program.put("people.ndjson", bytes)]);
    expect(problemsIn(outcome.stderr)).toEqual([
      "people.ndjson: line 2: is not UTF-8 text: save it as UTF-8",
    ]);
    expectRefusal(outcome, { error: /nothing was written$/ });
  });

  test.each(["--public", "--email eve@example.com", "--slug eve"])(
    "one of Vitrine's own with %s, which is for those of other programs",
    async (typed) => {
      using program = new Program();
      await program.put("one.json", JSON.stringify(one));
      const [flag] = typed.split(" ");
      expectRefusal(await program.run(["import", "one.json", ...typed.split(" ")]), {
        error: `${flag} is for a file of another program, which --from names`,
        remedy: `the same with --from FORMAT, or without ${flag}`,
        exitCode: 2,
      });
      expect(await hasDatabase(program)).toBe(false);
    },
  );

  test("one that is not there, before anything is done with the others", async () => {
    using program = new Program();
    await program.put("one.json", JSON.stringify(one));
    expectRefusal(await program.run(["import", "one.json", "missing.json"]), {
      error: "there is no file missing.json",
    });
    expect(await hasDatabase(program)).toBe(false);
  });

  withoutOverride((start) => {
    test("one that may not be read, without blaming the database", async () => {
      using program = start();
      await program.put("one.json", JSON.stringify(one));
      chmodSync(program.folder.file("one.json"), 0o000);
      expectRefusal(await program.run(["import", "one.json"]), {
        error: "EACCES: permission denied, open 'one.json'",
        remedy: "run Vitrine as a user who may do that: ls -ld one.json",
      });
    });

    test.each(["", "--from jsonresume"])(
      "one in a folder that may not be entered, without saying that it is not there: %p",
      async (flags) => {
        using program = start();
        mkdirSync(program.folder.file("closed"));
        await program.put("closed/one.json", JSON.stringify(one));
        chmodSync(program.folder.file("closed"), 0o000);
        expectRefusal(await program.run(["import", "closed/one.json", ...flags.split(" ").filter(Boolean)]), {
          error: "EACCES: permission denied, stat 'closed/one.json'",
          remedy: "run Vitrine as a user who may do that: ls -ld closed/one.json",
        });
        chmodSync(program.folder.file("closed"), 0o700);
      },
    );
  });

  test("a folder, with what to type instead", async () => {
    using program = new Program();
    mkdirSync(program.folder.file("people"));
    expectRefusal(await program.run(["import", "people"]), {
      error: "people is a folder",
      remedy: "vitrine import people/*.json",
    });
  });
});
