import { existsSync, statSync } from "node:fs";
import { extname } from "node:path";
import { Failure } from "../failure.ts";
import { jsonErrorOffset, lineAndColumn } from "./json-error.ts";
import { chunksOfLines, type LineChunk, linesOf } from "./lines.ts";

/** A file to import under the name its user gave it; standard input is copied to a file first. */
export interface Source {
  readonly name: string;
  readonly file: string;
}

/** Something that may be a record, and where it stands: `people.ndjson: line 3`. */
export type Candidate =
  | { readonly place: string; readonly value: unknown }
  | { readonly place: string; readonly fault: string };

const decoder = new TextDecoder("utf-8", { fatal: true });
const lenientDecoder = new TextDecoder();
const NOT_UTF8 = "is not UTF-8 text";
const SNIFFED_BYTES = 64 * 1024;

export function refuseMissing(file: string): void {
  if (!existsSync(file)) throw new Failure(`there is no file ${file}`, "vitrine import --help");
  if (statSync(file).isDirectory()) throw new Failure(`${file} is a folder`, `vitrine import ${file}/*.json`);
}

export type Format = "ndjson" | "json" | "yaml";

/** By the ending of the name where it says so, else by how the content begins. */
export async function formatOf({ name, file }: Source): Promise<Format> {
  const extension = extname(name).toLowerCase();
  if (extension === ".ndjson" || extension === ".jsonl") return "ndjson";
  if (extension === ".yaml" || extension === ".yml") return "yaml";
  if (extension === ".json") return (await firstLineIsRecord(file)) ? "ndjson" : "json";
  const start = lenientDecoder.decode(await Bun.file(file).slice(0, SNIFFED_BYTES).bytes()).trimStart();
  if (!/^[[{]/.test(start)) return "yaml";
  return (await firstLineIsRecord(file)) ? "ndjson" : "json";
}

/** A first line that is an object by itself, with more behind it, is the mark of one record a line. */
async function firstLineIsRecord(file: string): Promise<boolean> {
  let first: unknown;
  for await (const { bytes } of chunksOfLines(file, SNIFFED_BYTES)) {
    for (const line of linesOf(bytes)) {
      const text = lenientDecoder.decode(line).trim();
      if (text === "") continue;
      if (first !== undefined) return true;
      if (!text.startsWith("{")) return false;
      try {
        first = JSON.parse(text);
      } catch {
        return false;
      }
    }
  }
  return false;
}

/** The records of whole lines of NDJSON. */
export function* fromLines(name: string, { bytes, firstLine }: LineChunk): Generator<Candidate> {
  let number = firstLine - 1;
  for (const line of linesOf(bytes)) {
    number++;
    const place = `${name}: line ${number}`;
    let text: string;
    try {
      text = decoder.decode(line);
    } catch {
      yield { place, fault: NOT_UTF8 };
      continue;
    }
    if (text.trim() === "") continue;
    try {
      yield { place, value: JSON.parse(text) };
    } catch {
      yield { place, fault: `is not JSON from column ${jsonErrorOffset(text) + 1} on` };
    }
  }
}

/** The record, or the array of records, that a file of JSON or YAML is as a whole. */
export async function fromWhole({ name, file }: Source, format: "json" | "yaml"): Promise<Candidate[]> {
  let text: string;
  try {
    text = decoder.decode(await Bun.file(file).bytes());
  } catch {
    return [{ place: name, fault: NOT_UTF8 }];
  }
  const parsed = format === "json" ? parseJson(text) : await parseYaml(text);
  if ("fault" in parsed) return [{ place: name, fault: parsed.fault }];
  if (!Array.isArray(parsed.value)) return [{ place: name, value: parsed.value }];
  return parsed.value.map((value: unknown, index) => ({ place: `${name}: record ${index + 1}`, value }));
}

type Parsed = { value: unknown } | { fault: string };

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: `is not JSON from ${lineAndColumn(text, jsonErrorOffset(text))} on` };
  }
}

/** Several documents in one file, parted by `---`, are several records. */
async function parseYaml(text: string): Promise<Parsed> {
  const { parseAllDocuments } = await import("yaml");
  const documents = [...parseAllDocuments(text)];
  const error = documents.flatMap((document) => document.errors)[0];
  if (error) return { fault: `is not YAML: ${error.message.split("\n")[0]?.replace(/:$/, "")}` };
  try {
    const all = documents.map((document) => document.toJS() as unknown);
    // A separator at the end of a file opens a document that nobody wrote.
    const values = all.length > 1 ? all.filter((value) => value !== null) : all;
    return { value: values.length === 1 ? values[0] : values };
  } catch (cause) {
    return { fault: `is not usable YAML: ${(cause as Error).message}` };
  }
}
