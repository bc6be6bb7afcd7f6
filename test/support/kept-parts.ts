import type { ServingWriter } from "../../src/store/hook-queue.ts";
import type { Store } from "../../src/store/store.ts";
import type { StoredReader } from "../../src/store/stored-reader.ts";

/**
 * What tests have opened in one database, for those that come after them: to connect, or to prepare every statement,
 * takes longer than most tests. Who closes such a part gives it back.
 */
export class KeptParts {
  readonly #stores: KeptStore[] = [];
  readonly #readers: StoredReader[] = [];
  readonly #writers: ServingWriter[] = [];

  async store(now: () => number, open: (now: () => number) => Promise<Store>): Promise<Store> {
    const kept = this.#stores.pop() ?? (await keptStore(open));
    kept.clock.now = now;
    return lent(kept.store, () => this.#stores.push(kept));
  }

  reader(open: () => Promise<StoredReader>): Promise<StoredReader> {
    return lentFrom(this.#readers, open);
  }

  writer(open: () => Promise<ServingWriter>): Promise<ServingWriter> {
    return lentFrom(this.#writers, open);
  }

  async close(): Promise<void> {
    const parts = [...this.#stores.map(({ store }) => store), ...this.#readers, ...this.#writers];
    for (const part of parts) await part.close();
  }
}

const PARTS = new Map<string, KeptParts>();

export function keptPartsOf(url: string): KeptParts {
  const parts = PARTS.get(url) ?? new KeptParts();
  PARTS.set(url, parts);
  return parts;
}

/** For a database that is about to be removed. */
export async function dropKeptParts(url: string): Promise<void> {
  await PARTS.get(url)?.close();
  PARTS.delete(url);
}

/** A store with a clock that can be another one later. */
interface KeptStore {
  readonly store: Store;
  readonly clock: { now: () => number };
}

async function keptStore(open: (now: () => number) => Promise<Store>): Promise<KeptStore> {
  const clock = { now: Date.now };
  return { store: await open(() => clock.now()), clock };
}

interface Closable {
  close(): unknown;
}

async function lentFrom<Part extends Closable>(kept: Part[], open: () => Promise<Part>): Promise<Part> {
  const part = kept.pop() ?? (await open());
  return lent(part, () => kept.push(part));
}

function lent<Part extends Closable>(part: Part, giveBack: () => void): Part {
  let isOut = true;
  const close = () => {
    if (isOut) giveBack();
    isOut = false;
  };
  return new Proxy(part, {
    get(target, name) {
      if (name === "close") return close;
      const value: unknown = Reflect.get(target, name, target);
      // Its private fields are the part's own.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
