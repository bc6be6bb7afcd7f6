import { parse } from "yaml";
import packageJson from "../package.json" with { type: "json" };
import type { View } from "../src/contract/access.ts";
import { openApiDocument } from "../src/contract/openapi/document.ts";
import { OPENAPI_FILE } from "../src/contract/openapi/file.ts";
import type { RouteName } from "../src/contract/routes.ts";
import { answerText } from "../src/documents/answer.ts";
import { reconcile } from "../src/records/reconcile.ts";
import { checkRecord, type RecordInput } from "../src/records/schema.ts";
import { readSettings } from "../src/settings.ts";

const SAMPLE = new URL("../sample/profile.yaml", import.meta.url);
const IMPORTED_AT = Date.parse("2026-04-12T08:30:00.000Z");

/** The document, with answers that the sample profile gives. The same tables always give the same text. */
export async function openApiText(): Promise<string> {
  const { limitFull, limitDefault } = readSettings(["limitFull", "limitDefault"], {}, {});
  const { publicUser, ...answers } = await sampleAnswers();
  const document = openApiDocument({
    version: packageJson.version,
    limits: { full: limitFull, default: limitDefault },
    answers,
    slug: answers.linktree.slug,
    publicUser,
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}

type SampleAnswers = Record<RouteName | "publicUser", unknown> & {
  readonly linktree: { readonly slug: string };
};

async function sampleAnswers(): Promise<SampleAnswers> {
  const checked = checkRecord(parse(await Bun.file(SAMPLE).text()));
  if ("problems" in checked) throw new Error(JSON.stringify(checked.problems));
  const { record } = reconcile(withIds(checked.input), undefined, IMPORTED_AT);
  const answer = (route: RouteName, view: View = "full") =>
    JSON.parse(answerText(record, view, route, undefined) ?? "null");
  const full = answer("full");
  return {
    full,
    publicUser: answer("full", "public"),
    linktrees: full.linkTrees,
    linktree: full.linkTrees[0],
    links: answer("links"),
    jobs: full.jobs,
    projects: full.projects,
    education: full.education,
    resume: answer("resume"),
  };
}

/** What the server would choose at random is derived from what it belongs to. */
function withIds(input: RecordInput): RecordInput {
  return {
    ...input,
    id: idFor(input.email),
    linkTrees: input.linkTrees.map((tree) => ({
      ...tree,
      id: idFor(tree.slug),
      links: tree.links.map((link) => ({ ...link, id: idFor(`${tree.slug} ${link.url}`) })),
    })),
  };
}

/** It begins and is as long as the ids that the server makes. */
function idFor(name: string): string {
  return `AZ${new Bun.CryptoHasher("sha256").update(name).digest().toString("base64url", 0, 15)}`;
}

if (import.meta.main) await Bun.write(OPENAPI_FILE, await openApiText());
