import { MAX_PICTURE_BYTES } from "../../store/pictures.ts";
import { BODIES } from "../bodies.ts";
import type { StudioRoute, StudioRouteName } from "../contract.ts";
import { StudioFault } from "../faults.ts";
import { readFile } from "../file-thread.ts";

const KIB = 1024;

/** The most bytes of a body, by what it is. */
const BOUNDS = {
  picture: { bytes: MAX_PICTURE_BYTES, words: "The picture has more than 256 KB." },
  record: { bytes: 4 * KIB * KIB, words: "The record has more than 4 MB, and that is too much." },
  small: { bytes: 64 * KIB, words: "That is too long." },
} as const;

type Bound = (typeof BOUNDS)[keyof typeof BOUNDS];

/** Routes whose JSON has a record in it. */
const WITH_RECORD: ReadonlySet<StudioRouteName> = new Set(["checkRecord", "saveRecord", "previewPage"]);

function boundOf(name: StudioRouteName, route: StudioRoute): Bound {
  if (route.takes === "picture") return BOUNDS.picture;
  return route.takes === "record file" || WITH_RECORD.has(name) ? BOUNDS.record : BOUNDS.small;
}

/** The bytes that a request brings, where its route takes any. */
export async function receiveBody(
  request: Request,
  name: StudioRouteName,
  route: StudioRoute,
): Promise<Uint8Array | undefined> {
  const takesNone = request.method === "GET" || request.method === "DELETE";
  return takesNone ? undefined : bytesOf(request, boundOf(name, route));
}

/** What these bytes are: a picture, what is in a file, or JSON in the shape that the route wants. */
export async function readBody(
  bytes: Uint8Array | undefined,
  request: Request,
  name: StudioRouteName,
  route: StudioRoute,
  who: string,
): Promise<unknown> {
  if (!bytes) return undefined;
  if (route.takes === "picture") return bytes;
  if (route.takes === "record file") return readFile(bytes, who);
  const schema = BODIES[name];
  if (!schema) return undefined;
  if (!request.headers.get("Content-Type")?.startsWith("application/json"))
    throw new StudioFault("malformed", "The request is no JSON.");
  const parsed = schema.safeParse(jsonOf(bytes));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: path.map((step) => (typeof step === "number" ? step : String(step))),
    message,
  }));
  throw new StudioFault("problems", "Something is missing or not as it should be.", { problems });
}

/**
 * Keeps no more than the bound, whatever the request says of its length. What is beyond is read all the same, as far as
 * the server takes it: to a proxy that is still sending, an answer that comes before is a broken connection.
 */
async function bytesOf(request: Request, { bytes: most, words }: Bound): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length <= most) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    throw new StudioFault("malformed", "The request broke off.");
  }
  if (length > most) throw new StudioFault("too-large", words);
  return Buffer.concat(chunks, length);
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new StudioFault("malformed", "The request is no JSON.");
  }
}
