import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import type { RecordInput } from "../../src/records/schema.ts";
import { withDatabase } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { recordStatement, tamperWith } from "../support/tampering.ts";

setDefaultTimeout(300_000);

/** What clears a screen, sets a title, begins a sequence in one byte, forges a line and turns the direction. */
const HOSTILE = "a\x1b[2J\x1b]0;owned\x07\x9b31m\x7f\r\nE-mail  b\u202ec";

/** No rule of today lets these in, but they may be stored. */
const EMAIL = `ada\u202e\x1b[8m@example.com`;
const SLUG = "tree\x1b[1A\u202e";

/** Everything that would steer a terminal. A new line is ours. */
const STEERING = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

/** The same text wherever a record has any, those that stay unchecked included. */
function hostileRecord(): RecordInput {
  const input = checkedRecord(writtenRecord(1));
  return {
    ...input,
    email: EMAIL,
    profile: {
      ...input.profile,
      slug: SLUG,
      name: { isPublic: true, value: HOSTILE },
      summary: { isPublic: true, value: HOSTILE },
    },
    linkTrees: [
      {
        id: "tree-1",
        title: HOSTILE,
        description: HOSTILE,
        slug: SLUG,
        links: [{ label: HOSTILE, url: `https://a.example/${HOSTILE}` }],
      },
    ],
  };
}

/** A record that wants what is the hostile one's, whose owner is named then. */
function takingRecord(): unknown {
  const { linkTrees, ...record } = writtenRecord(3);
  return { ...record, linkTrees: linkTrees.map((tree, index) => ({ ...tree, id: `tree-${index + 1}` })) };
}

async function hostileProgram(): Promise<{ program: Program; keyId: string } & Disposable> {
  const program = new Program();
  const keyId = await withDatabase(program, async (store) => {
    await store.records.save([hostileRecord(), checkedRecord(writtenRecord(2))]);
    const [key] = await store.keys.create([
      { email: EMAIL, hash: hashKey(mintKey()), name: HOSTILE, expiresAt: null },
    ]);
    return key?.id ?? "";
  });
  return { program, keyId, [Symbol.dispose]: () => program[Symbol.dispose]() };
}

/** Commands that have something of a record or a key to say, or to say against. */
const COMMANDS: readonly (readonly [
  said: string,
  args: (keyId: string) => readonly string[],
  stdin?: string,
])[] = [
  ["user list", () => ["user", "list"]],
  ["user show", () => ["user", "show", EMAIL]],
  ["stats", () => ["stats", EMAIL]],
  ["stats --tree", () => ["stats", EMAIL, "--tree", SLUG]],
  ["stats of no such tree", () => ["stats", EMAIL, "--tree", HOSTILE]],
  ["qr", () => ["qr", SLUG, "--public-url", "https://links.example"]],
  ["qr of no such tree", () => ["qr", HOSTILE]],
  ["qr to a file", () => ["qr", SLUG, "--out", `${HOSTILE}.svg`]],
  ["qr to a file of another kind", () => ["qr", SLUG, "--out", HOSTILE]],
  ["key list", () => ["key", "list", EMAIL]],
  ["key create for all", () => ["key", "create", "-"], `${EMAIL}\n`],
  ["key create for nobody", () => ["key", "create", HOSTILE]],
  ["key create for nobody among all", () => ["key", "create", "-"], "no\x1b[2Jbody\n"],
  ["key create --expires", () => ["key", "create", EMAIL, "--expires", HOSTILE]],
  ["key rotate", (keyId) => ["key", "rotate", keyId]],
  ["key revoke", (keyId) => ["key", "revoke", keyId]],
  ["key revoke of none", () => ["key", "revoke", HOSTILE]],
  ["user delete without a terminal", () => ["user", "delete", EMAIL]],
  ["user delete", () => ["user", "delete", EMAIL, "--yes"]],
  ["export of nobody", () => ["export", HOSTILE]],
  ["import that is refused", () => ["import", "-"], JSON.stringify({ [HOSTILE]: HOSTILE, email: HOSTILE })],
  ["import of what is taken", () => ["import", "-"], JSON.stringify(takingRecord())],
  ["import of a file that is not there", () => ["import", HOSTILE]],
  ["doctor", () => ["doctor"]],
  ["backup", () => ["backup", `${HOSTILE}.db`]],
  ["an unknown command", () => [HOSTILE]],
  ["an unknown setting", () => ["user", "list", "--database", HOSTILE]],
];

describe.concurrent("nothing that steers a terminal is printed by", () => {
  test.each(COMMANDS.map(([said, args, stdin]) => ({ said, args, stdin })))(
    "$said",
    async ({ args, stdin }) => {
      using hostile = await hostileProgram();
      const { stdout, stderr } = await hostile.program.run(args(hostile.keyId), stdin);
      expect(stdout + stderr).not.toBe("");
      expect(STEERING.exec(stdout + stderr)?.input ?? "").toBe("");
    },
  );

  test.each(["doctor", "rebuild", "export --all"])("%s, where the record is damaged", async (command) => {
    using hostile = await hostileProgram();
    await tamperWith(hostile.program, recordStatement(1, "{"));
    const { stdout, stderr } = await hostile.program.run(command.split(" "));
    expect(stdout + stderr).toContain("[8m@example.com");
    expect(STEERING.exec(stdout + stderr)?.input ?? "").toBe("");
  });

  test("convert, which names the file in a comment of one line", async () => {
    using program = new Program();
    await program.put(HOSTILE, JSON.stringify({ basics: { email: "ada@example.com" } }));
    const { stdout } = await program.run(["convert", HOSTILE, "--from", "jsonresume"]);
    expect(stdout).toMatch(/^# From .*\nemail: ada@example.com\n/);
    expect(STEERING.exec(stdout)?.input ?? "").toBe("");
  });

  test("the question on a terminal", async () => {
    using hostile = await hostileProgram();
    const { screen } = await hostile.program.runOnTerminal(["user", "delete", EMAIL], {
      question: "for good?",
      answer: "n\n",
    });
    expect(screen).not.toContain("\x1b[8m");
    expect(screen).not.toContain("\u202e");
  });

  test("a line that a title would forge", async () => {
    using hostile = await hostileProgram();
    const { stdout } = await hostile.program.run(["user", "show", EMAIL]);
    expect(stdout.split("\n").filter((line) => line.startsWith("E-mail"))).toHaveLength(1);
  });
});

describe.concurrent("JSON that is printed", () => {
  const AS_JSON: readonly (readonly [string, readonly string[], (printed: unknown) => unknown])[] = [
    ["user list", ["user", "list", "--json"], (user) => (user as { email: string }).email],
    ["user show", ["user", "show", EMAIL, "--json"], (user) => (user as { email: string }).email],
    ["export", ["export", EMAIL], (record) => (record as RecordInput).email],
    ["export --all", ["export", "--all"], (record) => (record as RecordInput).email],
    ["stats", ["stats", EMAIL, "--json"], (stats) => (stats as { email: string }).email],
  ];

  test.each(AS_JSON)(
    "by %s says exactly what is stored, and steers no terminal",
    async (_, args, emailIn) => {
      using hostile = await hostileProgram();
      const { stdout } = await hostile.program.run(args);
      const [first = ""] = args.includes("--all") || args[1] === "list" ? stdout.split("\n") : [stdout];
      expect(emailIn(JSON.parse(first))).toBe(EMAIL);
      expect(/(?!\n)\p{Cc}/u.exec(stdout)?.input ?? "").toBe("");
    },
  );

  test("by export and by key list has every character of a text", async () => {
    using hostile = await hostileProgram();
    const { stdout } = await hostile.program.run(["export", EMAIL]);
    expect((JSON.parse(stdout) as RecordInput).linkTrees[0]?.title).toBe(HOSTILE);
    const keys = (await hostile.program.run(["key", "list", EMAIL, "--json"])).stdout;
    expect((JSON.parse(keys) as { name: string }[])[0]?.name).toBe(HOSTILE);
    expect(keys).not.toContain("\x9b");
  });
});
