import type { Discrepancy, Store } from "../../store/store.ts";
import { IMPORT_AGAIN } from "../damaged.ts";
import { onInterruption } from "../interruption.ts";
import { plural } from "../output.ts";
import { ProgressBar } from "../progress.ts";
import { shellWord } from "../shell-quotes.ts";
import type { Finding } from "./finding.ts";

/** The most of each kind that are named. The rest are counted. */
const MAX_NAMED = 10;

/** Holds every user's documents against the record, and tells on which side a fault is. */
export async function checkDocuments(store: Store): Promise<Finding[]> {
  const outdated = await store.upkeep.outdated();
  if (outdated > 0)
    return [
      {
        check: "Documents",
        ok: false,
        detail: `those of ${plural(outdated, "user")} are still to be compiled anew`,
        remedy: "vitrine migrate",
      },
    ];
  const [damaged, changed, wrong, slugs] = [new Named(), new Named(), new Named(), new Named()];
  using bar = new ProgressBar("Comparing");
  using _ = onInterruption(() => "the doctor changes nothing.");
  for await (const found of store.upkeep.discrepancies(({ done, total }) => bar.update(done, total))) {
    if (found.recordFault) damaged.add(found.email, [saidOfRecord(found)]);
    else (found.areDocumentsIntact ? changed : wrong).add(found.email, saidOfDocuments(found));
    slugs.add(found.email, saidOfSlugs(found));
  }
  const sound = (await store.records.count()) - damaged.users - changed.users;
  return [
    ...damagedRecords(damaged),
    ...changedRecords(changed),
    wrong.count > 0
      ? {
          check: "Documents",
          ok: false,
          detail: `${plural(wrong.count, "document")} of ${plural(sound, "user")} ${isOrAre(wrong.count)} wrong: ${wrong}`,
          remedy: "vitrine rebuild",
        }
      : {
          check: "Documents",
          ok: true,
          detail: `those of ${plural(sound, "user")} equal what their records compile to`,
        },
    ...oldSlugs(slugs),
  ];
}

/** Compiling such a record anew would fail, and its documents may be all that is left of it. */
function damagedRecords(damaged: Named): Finding[] {
  if (damaged.count === 0) return [];
  const detail = `${plural(damaged.count, "record")} ${isOrAre(damaged.count)} damaged: ${damaged}`;
  return [{ check: "Records", ok: false, detail, remedy: IMPORT_AGAIN }];
}

/** The documents have their tags to show that nothing of them has changed, so it was the record. */
function changedRecords(changed: Named): Finding[] {
  if (changed.users === 0) return [];
  const [has, its] = changed.users === 1 ? ["has", "its"] : ["have", "their"];
  return [
    {
      check: "Records",
      ok: false,
      detail: `${plural(changed.users, "record")} ${has} changed behind ${its} documents, which are intact by their tags: ${changed}`,
      remedy: `vitrine rebuild, if the record is right (vitrine export ${shellWord(changed.first)} shows it); if not, ${IMPORT_AGAIN}`,
    },
  ];
}

/** They go on working, but two of them can look the same, and the record cannot be imported again as it is. */
function oldSlugs(slugs: Named): Finding[] {
  if (slugs.count === 0) return [];
  return [
    {
      check: "Slugs",
      ok: false,
      detail: `${plural(slugs.count, "slug")} would be refused today: ${slugs}`,
      remedy: `vitrine export ${shellWord(slugs.first)} > record.json, give it another slug there, and vitrine import record.json: the ids in the file keep the numbers of a link tree`,
    },
  ];
}

function saidOfSlugs({ email, refusedSlugs }: Discrepancy): string[] {
  return refusedSlugs.map(({ slug, faults }) => `${spelledOut(slug)} of ${email} ${faults.join(", and ")}`);
}

/** With everything written as its number that cannot be seen, or that joins the letter before it. */
function spelledOut(slug: string): string {
  const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return `"${slug.replace(/(?! )[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu, escaped)}"`;
}

function saidOfRecord({ email, recordFault, areDocumentsIntact }: Discrepancy): string {
  return `that of ${email} is ${recordFault}, and its documents are ${areDocumentsIntact ? "intact" : "damaged, too"}`;
}

function saidOfDocuments({ email, differences }: Discrepancy): string[] {
  return differences.map(({ document, fault }) => `${document} of ${email} is ${fault}`);
}

function isOrAre(count: number): string {
  return count === 1 ? "is" : "are";
}

/** Things to say of users, of which the first few are remembered. */
class Named {
  users = 0;
  count = 0;
  first = "";
  readonly #said: string[] = [];

  add(email: string, said: readonly string[]): void {
    if (said.length === 0) return;
    this.first ||= email;
    this.users++;
    this.count += said.length;
    this.#said.push(...said.slice(0, MAX_NAMED - this.#said.length));
  }

  toString(): string {
    return this.#said.join("; ") + (this.count > this.#said.length ? "; …" : "");
  }
}
