import type { Hook, Key } from "../contract.ts";
import { Observable, useObserved } from "./observable.ts";

/** Something that was just made for a user, with a secret that nobody can show again. */
interface Made<What> {
  readonly user: string;
  readonly what: What;
  readonly secret: string;
}

/* What is shown this once waits here until it is copied, wherever its owner goes meanwhile. The newest comes first. */
export const newKeys = new Observable<readonly Made<Key>[]>([]);
export const newHooks = new Observable<readonly Made<Hook>[]>([]);

/** What was made for one user and is not copied yet. */
export function useShownOnce<What extends { readonly id: string }>(
  made: Observable<readonly Made<What>[]>,
  user: string,
) {
  return {
    shown: useObserved(made, (all) => all).filter((one) => one.user === user),
    show: (what: What, secret: string) => made.set([{ user, what, secret }, ...made.value]),
    putAway: ({ id }: What) => made.set(made.value.filter(({ what }) => what.id !== id)),
  };
}

/** For whoever signs out, so that nobody after them sees it. */
export function forgetAllShown(): void {
  newKeys.set([]);
  newHooks.set([]);
}

/** Asks whoever closes the page before that. */
export function askBeforeItIsGone(): void {
  addEventListener("beforeunload", (event) => {
    if (newKeys.value.length + newHooks.value.length > 0) event.preventDefault();
  });
}
