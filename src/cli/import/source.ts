import { existsSync, statSync } from "node:fs";
import { extname } from "node:path";
import { Failure } from "../failure.ts";
import { jsonErrorOffset, lineAndColumn } from "./json-error.ts";
import { linesOf } from "./lines.ts";

/** Something that may be a record, and where it stands: `people.ndjson: line 3`. */
export type Candidate =
  | { readonly place: string; readonly bytes: number; readonly value: unknown }
  | { readonly place: string; readonly bytes: number; readonly fault: string };

const decoder = new TextDecoder("utf-8", { fatal: true });
const NOT_UTF8 = "is not UTF-8 text";
const SNIFFED_BYTES = 64 * 1024;

/** A file to import under the name its user gave it; standard input is copied to a file first. */
export interface Source {
  readonly name: string;
  readonly file: string;
}

export function refuseMissing(file: string): void {
  if (!existsSync(file)) throw new Failure(`there is no file ${file}`);
  if (statSync(file).isDirectory()) throw new Failure(`${file} is a folder`, `vitrine import ${file}/*.json`);
}

/** The records of a file: one, an array or one a line; JSON or YAML. Only lines are read without holding all. */
export async function* candidatesOf(source: Source): AsyncGenerator<Candidate> {
  const format = await formatOf(source);
  if (format === "ndjson") yield* fromLines(source);
  else yield* fromWhole(source, format);
}

type Format = "ndjson" | "json" | "yaml";

async function formatOf({ name, file }: Source): Promise<Format> {
  const extension = extname(name).toLowerCase();
  if (extension === ".ndjson" || extension === ".jsonl") return "ndjson";
  if (extension === ".yaml" || extension === ".yml") return "yaml";
  const start = new TextDecoder().decode(await Bun.file(file).slice(0, SNIFFED_BYTES).bytes()).trimStart();
  if (!/^[[{]/.test(start)) return "yaml";
  return (await firstLineIsRecord(file)) ? "ndjson" : "json";
}

/** A first line that is an object by itself, with more behind it, is the mark of one record a line. */
async function firstLineIsRecord(file: string): Promise<boolean> {
  let first: unknown;
  for await (const line of linesOf(file)) {
    const text = new TextDecoder().decode(line).trim();
    if (text === "") continue;
    if (first !== undefined) return true;
    if (!text.startsWith("{")) return false;
    try {
      first = JSON.parse(text);
    } catch {
      return false;
    }
  }
  return false;
}

async function* fromLines({ name, file }: Source): AsyncGenerator<Candidate> {
  let number = 0;
  for await (const line of linesOf(file)) {
    number++;
    const place = `${name}: line ${number}`;
    const bytes = line.length + 1;
    let text: string;
    try {
      text = decoder.decode(line);
    } catch {
      yield { place, bytes, fault: NOT_UTF8 };
      continue;
    }
    if (text.trim() === "") continue;
    try {
      yield { place, bytes, value: JSON.parse(text) };
    } catch {
      yield { place, bytes, fault: `is not JSON from column ${jsonErrorOffset(text) + 1} on` };
    }
  }
}

async function* fromWhole({ name, file }: Source, format: "json" | "yaml"): AsyncGenerator<Candidate> {
  const content = await Bun.file(file).bytes();
  const whole = { place: name, bytes: content.length };
  let text: string;
  try {
    text = decoder.decode(content);
  } catch {
    yield { ...whole, fault: NOT_UTF8 };
    return;
  }
  const parsed = format === "json" ? parseJson(text) : await parseYaml(text);
  if ("fault" in parsed) yield { ...whole, fault: parsed.fault };
  else if (Array.isArray(parsed.value)) {
    const bytes = content.length / Math.max(parsed.value.length, 1);
    for (const [index, value] of parsed.value.entries())
      yield { place: `${name}: record ${index + 1}`, bytes, value };
  } else yield { ...whole, value: parsed.value };
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
    const values = documents.map((document) => document.toJS() as unknown);
    return { value: values.length === 1 ? values[0] : values };
  } catch (cause) {
    return { fault: `is not usable YAML: ${(cause as Error).message}` };
  }
}
