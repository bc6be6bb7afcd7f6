import { expect, test } from "bun:test";
import { parse } from "yaml";
import { reconcile } from "../../src/records/reconcile.ts";
import { answersOf } from "../support/answers.ts";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord } from "../support/records.ts";

/** The sample profile with ids that stay, and with the one optional field that it does not have. */
async function completeSample(): Promise<unknown> {
  const text = await Bun.file(new URL("../../sample/profile.yaml", import.meta.url)).text();
  const sample = parse(text) as { jobs: object[]; linkTrees: { links: object[] }[] };
  let last = 0;
  const identified = (item: object) => ({ id: `id-${++last}`, ...item });
  const written = {
    ...sample,
    id: "user-1",
    jobs: sample.jobs.map(identified),
    linkTrees: sample.linkTrees.map((tree) => ({ ...identified(tree), links: tree.links.map(identified) })),
  };
  return withValue(written, "projects[2].repoUrl", "https://mira.example/skerries");
}

test("a record with every field is answered as it was when none of them was optional, to the byte", async () => {
  const { record } = reconcile(checkedRecord(await completeSample()), undefined, 0);
  const { full } = answersOf(record).byKind;
  expect(new Bun.CryptoHasher("sha256").update(full.body).digest("hex")).toBe(
    "1481ba323873b9f38347369d081dfecc845ce23ca70abc12301902d89005c3dd",
  );
  expect(full.etag).toBe('"1rqhu4mrd8ag6"');
});
