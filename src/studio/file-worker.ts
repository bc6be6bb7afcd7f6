import { answerOf } from "../async/answering-worker.ts";
import { yamlOf } from "../exchange/export/yaml.ts";
import { formatOf } from "../exchange/syntax/format.ts";
import type { Fault } from "../exchange/syntax/value.ts";
import { valuesOfWhole } from "../exchange/syntax/whole.ts";
import type { FileContent } from "./file-thread.ts";

/** A thread that reads or writes one file. */
declare const self: Worker;

// A file can be wrong at each of its signs, and the parser of YAML keeps an error for each, with its stack.
Error.stackTraceLimit = 0;

self.onmessage = async ({ data: work }: MessageEvent<Uint8Array<ArrayBuffer> | string>) => {
  const done = () => (typeof work === "string" ? yamlOf(JSON.parse(work)) : contentOf(work));
  self.postMessage(await answerOf(done));
};

/** The most bytes of YAML. What is made to be hard to read takes 500 times as much memory, of which a unit has 512 MB. */
const MAX_YAML_BYTES = 768 * 1024;

async function contentOf(bytes: Uint8Array<ArrayBuffer>): Promise<FileContent> {
  const file = { size: bytes.length, slice: async (from: number, to: number) => bytes.subarray(from, to) };
  const isYaml = (await formatOf("", file)) === "yaml";
  if (isYaml && bytes.length > MAX_YAML_BYTES)
    return { problem: "A file of YAML may have 768 KB at most. A larger one can be brought as JSON." };
  const [one, ...more] = await valuesOfWhole("the file", file, isYaml ? "yaml" : "json");
  if (!one || more.length > 0) return { problem: "The file must hold one record." };
  return "fault" in one ? { problem: sentenceOf(one) } : { value: one.value };
}

/** What is wrong with a file, and where. Of a file that is none at all, the advice is for who uses the command line. */
function sentenceOf({ fault, advice, position }: Fault): string {
  if (!position) return `The file ${fault}.`;
  const said = advice === undefined ? fault : `${fault}: ${advice}`;
  return `Line ${position.line}, column ${position.column}: the file ${said}.`;
}
