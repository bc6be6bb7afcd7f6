import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { RecordInput } from "../../src/records/schema.ts";
import { done, expectRefusal, load, withDatabase, withKey } from "../support/command-line.ts";
import { recordsAt } from "../support/databases.ts";
import { Program } from "../support/program.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

/** Slugs that an earlier version took, and how the doctor spells them out. */
const TREE_SLUG = "ada\u200b\u202e";
const PROFILE_SLUG = "cafe\u0301";

/** A database in which there are slugs from before the rules about them. */
async function programWithOldSlugs(): Promise<Program> {
  const program = new Program();
  const input: RecordInput = checkedRecord(writtenRecord(1));
  const [first, ...rest] = input.linkTrees;
  if (!first) throw new Error("no link tree");
  const old = {
    ...input,
    profile: { ...input.profile, slug: PROFILE_SLUG },
    linkTrees: [{ ...first, slug: TREE_SLUG }, ...rest],
  };
  await withDatabase(program, (store) => store.records.save([old, checkedRecord(writtenRecord(2))]));
  return program;
}

describe.concurrent("a stored slug that would be refused today", () => {
  test("goes on working, in the API, as a page and through rebuild", async () => {
    using program = await programWithOldSlugs();
    const key = await done(program, ["key", "create", email]);
    expect(await done(program, ["rebuild"])).toBe("Rebuilt the documents of 2 users from their records.");
    await using server = await program.serve();
    const slug = encodeURIComponent(TREE_SLUG);
    expect(await (await fetch(`${server.url}/user/linktrees/${slug}`, withKey(key))).json()).toMatchObject({
      slug: TREE_SLUG,
    });
    expect((await fetch(`${server.url}/t/${slug}`)).status).toBe(200);
  });

  test("is named by doctor, with what cannot be seen of it", async () => {
    using program = await programWithOldSlugs();
    const { stdout, exitCode } = await program.run(["doctor"]);
    expect(stdout).toContain(
      `✗ Slugs: 2 slugs would be refused today: "cafe\\u{301}" of ${email} must be in Unicode's composed form (NFC): type it anew, or let an editor convert it; "ada\\u{200b}\\u{202e}" of ${email} must not hold U+200B, which is invisible, changes direction or looks like a space: leave it out\n  → vitrine export ${email} > record.json, `,
    );
    expect(stdout).toContain("✓ Documents: those of 2 users equal what their records compile to\n");
    expect(exitCode).toBe(1);
  });

  test("is refused when its record is imported again, with what to do", async () => {
    using program = await programWithOldSlugs();
    const exported = await done(program, ["export", email]);
    const outcome = await program.run(["import", "-"], exported);
    expectRefusal(outcome, { error: "2 problems in 1 record; nothing was written" });
    expect(outcome.stderr).toMatch(/^standard input: line 121, column 15: linkTrees/m);
    expect(outcome.stderr).toContain(
      ": linkTrees[0].slug: must not hold U+200B, which is invisible, changes direction or looks like a space: leave it out\n",
    );
  });

  test("can be given up in the exported record, and the link tree stays the same", async () => {
    using program = await programWithOldSlugs();
    const [before] = await recordsAt(program.database);
    const exported = await done(program, ["export", email]);
    const mended = exported.replace(TREE_SLUG, "ada").replace(PROFILE_SLUG, "caf\u00e9");
    expect(await done(program, ["import", "-"], mended)).toBe(`updated    ${email}`);
    const [after] = await recordsAt(program.database);
    expect(after?.linkTrees.map(({ id }) => id)).toEqual(before?.linkTrees.map(({ id }) => id) as string[]);
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("is copied to another database as it is", async () => {
    using program = await programWithOldSlugs();
    const url = program.database.engine === "sqlite" ? "sqlite:vitrine.db" : program.database.url;
    expect(await done(program, ["copy", "--from", url, "--to", "sqlite:copy.db"])).toContain(
      "Verified: 2 users",
    );
  });
});

test("two slugs that look the same cannot both be imported", async () => {
  using program = new Program();
  await load(program, writtenRecord(1));
  for (const slug of ["person-1\u200b", "person\u00ad-1"]) {
    const other = { ...writtenRecord(2), profile: { ...writtenRecord(2).profile, slug } };
    expect((await program.run(["import", "-"], JSON.stringify(other))).exitCode).toBe(1);
  }
});
