import { HEADER } from "../../contract/headers.ts";
import { Marks } from "../../marks.ts";

/**
 * From this length on Bun hands over the headers of an answer that comes later one by one, in some 70 calls of the
 * system; those of an answer that is there at once go out together with it.
 */
const LONG_BYTES = 16_384 - 1024;

/** How many bits tell which keys have had one, in 128 KB. */
const BITS = 2 ** 20;

/** Which keys have had a long answer, and so are to be answered at once from then on. */
export class LongAnswers {
  readonly #keys = new Marks(BITS);
  /** While there was none, nothing of a request is read to find that out. */
  #areAny = false;

  has(request: Request): boolean {
    return this.#areAny && this.#keys.has(numberOf(request));
  }

  note(request: Request, bytes: number): void {
    if (bytes < LONG_BYTES) return;
    this.#keys.add(numberOf(request));
    this.#areAny = true;
  }
}

/** Whatever it says, it is the same the next time. */
function numberOf(request: Request): number {
  return Bun.hash.crc32(request.headers.get(HEADER.authorization) ?? "");
}
