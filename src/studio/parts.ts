import type { Network } from "../addresses.ts";
import type { SlidingWindow } from "../limits/limiter.ts";
import type { Log } from "../logging/log.ts";
import type { Store } from "../store/store.ts";
import type { Provider } from "./oidc.ts";
import type { PageFiles } from "./page/files.ts";

/** All that the studio works with. */
export interface StudioParts {
  readonly store: Store;
  readonly limiter: SlidingWindow;
  readonly log: Log;
  readonly page: PageFiles;
  /** The studio's own public address. Empty where it is the loopback one. */
  readonly studioUrl: string;
  /** Where the pages of link trees are. */
  readonly publicUrl: string;
  /** The proxies on other machines that may say who a call comes from. */
  readonly trustedProxies: readonly Network[];
  /** Absent where nobody signs in through one. */
  readonly provider?: Provider | undefined;
  /** Whether the operator may have hooks lead to addresses that are not of the public Internet. */
  readonly hookPrivate: boolean;
  readonly now: () => number;
}
