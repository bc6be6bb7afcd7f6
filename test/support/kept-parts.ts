import type { ServingWriter } from "../../src/store/hook-queue.ts";
import type { Store } from "../../src/store/store.ts";
import type { StoredReader } from "../../src/store/stored-reader.ts";

/**
 * What tests have opened in one database of a server, for those that come after them: to connect takes longer than most
 * tests. Who closes such a part gives it back.
 */
export class KeptParts {
  readonly #stores: KeptStore[] = [];
  readonly #readers: StoredReader[] = [];
  readonly #writers: ServingWriter[] = [];

  async store(now: () => number, open: (now: () => number) => Promise<Store>): Promise<Store> {
    const kept = this.#stores.pop() ?? (await KeptStore.open(open));
    kept.now = now;
    return lent(kept.store, () => this.#stores.push(kept));
  }

  async reader(open: () => Promise<StoredReader>): Promise<StoredReader> {
    const reader = this.#readers.pop() ?? (await open());
    return lent(reader, () => this.#readers.push(reader));
  }

  async writer(open: () => Promise<ServingWriter>): Promise<ServingWriter> {
    const writer = this.#writers.pop() ?? (await open());
    return lent(writer, () => this.#writers.push(writer));
  }
}

const PARTS = new Map<string, KeptParts>();

export function keptPartsOf(url: string): KeptParts {
  const parts = PARTS.get(url) ?? new KeptParts();
  PARTS.set(url, parts);
  return parts;
}

/** A store with a clock that can be another one later. */
class KeptStore {
  now = Date.now;
  readonly store: Store;

  private constructor(store: Store) {
    this.store = store;
  }

  static async open(open: (now: () => number) => Promise<Store>): Promise<KeptStore> {
    let kept: KeptStore | undefined;
    kept = new KeptStore(await open(() => kept?.now() ?? Date.now()));
    return kept;
  }
}

function lent<Part extends { close(): unknown }>(part: Part, giveBack: () => void): Part {
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
