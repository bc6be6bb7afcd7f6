import { createReadStream, statSync } from "node:fs";
import { type Checked, checkRecord } from "../../records/schema.ts";
import { parseJson } from "../syntax/json.ts";
import { MAX_TEXT_BYTES, textOf } from "../syntax/text.ts";
import { parseYaml } from "../syntax/yaml.ts";
import { isZip, type Texts, textsOfFolder, textsOfZip } from "./archive.ts";
import type { Choices, Converted } from "./draft.ts";
import { NotInFormat, notReadable, OtherFormat } from "./errors.ts";
import { fromFull, isFull } from "./full.ts";
import { fromJsonResume, isJsonResume } from "./json-resume.ts";
import { fromLinkedIn, LINKEDIN_FILES } from "./linkedin.ts";
import { fromLinkStack, isLinkStack } from "./linkstack.ts";
import { fromLinktree } from "./linktree.ts";

/** A format of another program, by what its files are made of. */
type Format = { readonly title: string } & (
  | {
      readonly syntax: "json";
      is(value: unknown): boolean;
      convert(value: unknown, choices: Choices): Promise<Converted>;
    }
  | { readonly syntax: "html"; convert(html: string, choices: Choices): Promise<Converted> }
  | {
      readonly syntax: "archive";
      readonly files: readonly string[];
      convert(texts: Texts, choices: Choices): Promise<Converted>;
    }
);

/** What can be brought from elsewhere. */
export const FOREIGN = {
  jsonresume: { title: "a JSON Resume", syntax: "json", is: isJsonResume, convert: fromJsonResume },
  linkedin: { title: "LinkedIn's archive", syntax: "archive", files: LINKEDIN_FILES, convert: fromLinkedIn },
  linkstack: { title: "an export of LinkStack", syntax: "json", is: isLinkStack, convert: fromLinkStack },
  linktree: { title: "a saved page", syntax: "html", convert: fromLinktree },
  full: { title: "an answer of /user/full", syntax: "json", is: isFull, convert: fromFull },
} as const satisfies Record<string, Format>;

export type ForeignFormat = keyof typeof FOREIGN;

export function isForeignFormat(name: string): name is ForeignFormat {
  return Object.hasOwn(FOREIGN, name);
}

/** The format that a value looks like. */
export function recognised(value: unknown): ForeignFormat | undefined {
  const names = Object.keys(FOREIGN) as ForeignFormat[];
  return names.find((name) => {
    const format: Format = FOREIGN[name];
    return format.syntax === "json" && format.is(value);
  });
}

function otherFormat(found: ForeignFormat): OtherFormat {
  return new OtherFormat(found, FOREIGN[found].title);
}

/** A record made of a file of another program, checked, and what of the file is not in it. */
export interface Brought extends Converted {
  readonly checked: Checked;
}

/** Throws `NotInFormat`, `OtherFormat` or `NoEmail`. */
export async function bring(path: string, name: ForeignFormat, choices: Choices): Promise<Brought> {
  const converted = await convert(path, name, choices);
  return { ...converted, checked: checkRecord(converted.record) };
}

const STANDARD_INPUT = "-";

async function convert(path: string, name: ForeignFormat, choices: Choices): Promise<Converted> {
  const format: Format = FOREIGN[name];
  if (path !== STANDARD_INPUT && statSync(path).isDirectory()) {
    if (format.syntax !== "archive") throw new NotInFormat(`${path} is a folder`);
    return format.convert(await textsOfFolder(path, format.files), choices);
  }
  const bytes = await bytesOf(path);
  if (isZip(bytes)) {
    if (format.syntax !== "archive") throw otherFormat("linkedin");
    return format.convert(await textsOfZip(bytes, format.files), choices);
  }
  if (format.syntax === "html" && isSavedArchive(bytes))
    throw new NotInFormat("the file is an archive of a page: save the page as HTML alone");
  const decoded = textOf(bytes);
  if ("fault" in decoded) throw notReadable("the file", decoded);
  const { text } = decoded;
  if (format.syntax === "html") {
    refuseJson(text);
    return format.convert(text, choices);
  }
  if (/^\s*</.test(text)) throw otherFormat("linktree");
  if (format.syntax === "archive") {
    refuseJson(text);
    throw new NotInFormat(
      "the file is no ZIP archive: take the whole one, or the folder that it was unpacked to",
    );
  }
  // Many write a JSON Resume as YAML.
  const isJson = /\.json$/i.test(path) || /^\s*[[{]/.test(text);
  const parsed = isJson ? parseJson(text) : await parseYaml(text);
  if ("fault" in parsed) throw notReadable("the file", parsed);
  if (!format.is(parsed.value)) refuseRecognised(parsed.value);
  return format.convert(parsed.value, choices);
}

/** All bytes of a file. They are counted as they come, since how many there are in a pipe shows at its end alone. */
async function bytesOf(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of path === STANDARD_INPUT ? Bun.stdin.stream() : createReadStream(path)) {
    length += chunk.length;
    if (length > MAX_TEXT_BYTES)
      throw new NotInFormat(
        "the file is too large: if it is LinkedIn's, take the folder that it was unpacked to",
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What browsers offer beside HTML: MHTML, whose addresses are written otherwise, and Safari's archives. */
function isSavedArchive(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 2000)).toString("latin1");
  return start.startsWith("bplist") || /^Content-Type: multipart\/related\b/im.test(start);
}

/** Refuses JSON that is of a format which can be told by looking at it. */
function refuseJson(text: string): void {
  const parsed = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  if (parsed && "value" in parsed) refuseRecognised(parsed.value);
}

function refuseRecognised(value: unknown): void {
  const found = recognised(value);
  if (found) throw otherFormat(found);
}
