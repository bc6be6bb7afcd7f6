import { extname } from "node:path";
import type { Bytes } from "../bytes.ts";
import { linesOf, piecesOfLines } from "./ndjson.ts";
import { TextTooLong } from "./text.ts";

export type Format = "ndjson" | "json" | "yaml";

const SNIFFED_BYTES = 64 * 1024;

const decoder = new TextDecoder();

/** The syntax of a file: by the ending of its name where that says it, else by how the content begins. */
export async function formatOf(name: string, file: Bytes): Promise<Format> {
  const extension = extname(name).toLowerCase();
  if (extension === ".ndjson" || extension === ".jsonl") return "ndjson";
  if (extension === ".yaml" || extension === ".yml") return "yaml";
  if (extension !== ".json") {
    const start = decoder.decode(await file.slice(0, SNIFFED_BYTES)).trimStart();
    if (!/^[[{]/.test(start)) return "yaml";
  }
  return (await firstLineIsRecord(file)) ? "ndjson" : "json";
}

/** A first line that is an object by itself, with more behind it, is the mark of one record a line. */
async function firstLineIsRecord(file: Bytes): Promise<boolean> {
  try {
    const first = await firstTexts(file, 2);
    return first.length === 2 && isObject(first[0] ?? "");
  } catch (error) {
    if (error instanceof TextTooLong) return false;
    throw error;
  }
}

/** The first lines that are not blank: all that has to be read of a file. */
async function firstTexts(file: Bytes, count: number): Promise<string[]> {
  const texts: string[] = [];
  for await (const { bytes } of piecesOfLines(file, SNIFFED_BYTES)) {
    for (const line of linesOf(bytes)) {
      const text = decoder.decode(line).trim();
      if (text !== "") texts.push(text);
      if (texts.length === count || (texts.length === 1 && !texts[0]?.startsWith("{"))) return texts;
    }
  }
  return texts;
}

function isObject(text: string): boolean {
  try {
    return text.startsWith("{") && typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
