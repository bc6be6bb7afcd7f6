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

/** The last turn of each account that waits for one. */
const lastOf = new Map<string, Promise<void>>();

/** A turn that no other work of the same account has: whoever has much to do takes one turn for each, among others. */
export async function turnOf(account: string): Promise<void> {
  const turn = (lastOf.get(account) ?? Promise.resolve()).then(nextTurn);
  lastOf.set(account, turn);
  await turn;
  if (lastOf.get(account) === turn) lastOf.delete(account);
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
