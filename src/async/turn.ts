let turn: Promise<void> | undefined;

/** Over when the event loop has handled what had arrived by now. All who ask in one turn wait together. */
export function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

/** How long work of an account keeps the next of the same from beginning, where it waits for something itself. */
const LONGEST_MS = 1000;

/** When the last work of each account that has some is over, or has taken so long. */
const lastOf = new Map<string, Promise<void>>();

/** Does the work of an account one after the other, with a turn before each: who has much to do holds up nobody else. */
export async function inTurnOf<Value>(account: string, work: () => Promise<Value>): Promise<Value> {
  const before = lastOf.get(account);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  lastOf.set(account, over);
  await before;
  await nextTurn();
  const late = setTimeout(end, LONGEST_MS);
  try {
    return await work();
  } finally {
    clearTimeout(late);
    end();
    if (lastOf.get(account) === over) lastOf.delete(account);
  }
}

/**
 * What is begun in one turn is shared with all who ask for the same in that turn, and with nobody later: what they get
 * is no older than their asking.
 */
export class SharedInTurn<Value> {
  readonly #begun = new Map<string, Promise<Value>>();

  get(key: string, begin: () => Promise<Value>): Promise<Value> {
    const begun = this.#begun.get(key) ?? begin();
    if (this.#begun.size === 0) void nextTurn().then(() => this.#begun.clear());
    this.#begun.set(key, begun);
    return begun;
  }
}
