import { useLayoutEffect, useReducer, useRef } from "preact/hooks";

/** A value that changes, and those who want to know. */
export class Observable<Value> {
  #value: Value;
  readonly #followers = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const follower of this.#followers) follower();
  }

  follow(follower: () => void): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }
}

/**
 * The part of a value that a component shows. Only a change of this part renders it again: with thousands of fields on
 * one observable, a keystroke costs one of them.
 */
export function useObserved<Value, Part>(
  observable: Observable<Value>,
  select: (value: Value) => Part,
): Part {
  const [, renderAgain] = useReducer<number, undefined>((count) => count + 1, 0);
  const part = select(observable.value);
  const latest = useRef({ select, part });
  latest.current = { select, part };
  useLayoutEffect(() => {
    const compare = () => {
      const { select, part } = latest.current;
      if (!Object.is(select(observable.value), part)) renderAgain(undefined);
    };
    compare();
    return observable.follow(compare);
  }, [observable]);
  return part;
}
