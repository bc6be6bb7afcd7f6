import type { Address, Network } from "../../addresses.ts";
import type { MaybePromise } from "../../async/maybe-promise.ts";
import { ApiError, ERRORS } from "../../contract/errors.ts";
import { HEADER } from "../../contract/headers.ts";
import { LIMIT_WINDOW_SECONDS } from "../../contract/routes.ts";
import { clientAddress, customerOf } from "../../limits/addresses.ts";
import { callerNumber } from "../../limits/caller-number.ts";
import type { Standing } from "../../limits/limiter.ts";
import type { MemoryWindow } from "../../limits/memory-window.ts";
import type { Log } from "../../logging/log.ts";
import { Marks } from "../../marks.ts";
import type { KeyedDocument } from "../../store/reader.ts";

/** What the window counts them by. */
export const FAILED_ENDPOINT = "failed";

/** The most failures that are remembered, in 11 MB. Beyond that the oldest are forgotten before their minute is over. */
export const MOST_FAILURES = 2 ** 18;

/** How many bits tell which keys have worked here. With a million keys one wrong key in nine looks like one of them. */
const WORKED_BITS = 2 ** 23;

/** How many addresses are kept together with what they were made into, and how long they may be. */
const MOST_CUSTOMERS = 1000;
const LONGEST_KEPT = 200;

const WINDOW_MS = LIMIT_WINDOW_SECONDS * 1000;

interface FailedKeysOptions {
  readonly window: Pick<MemoryWindow, "take" | "look">;
  /** Failures a minute. */
  readonly limit: number;
  readonly proxies: readonly Network[];
  /** Whether keys are looked up on another machine. */
  readonly isRemote: boolean;
  readonly log: Log;
  /** Must never run backwards. */
  readonly now?: () => number;
}

type Find = () => MaybePromise<KeyedDocument | null>;

/** The address that a request was sent from. */
type PeerOf = (request: Request) => string | undefined;

/**
 * Bounds what an address may cost that sends no good key. Each 401 is counted; once there were too many within a
 * minute, further ones become a 429, which is neither counted nor logged one by one. A good key works from any address
 * all the same: somebody else may be behind it, too.
 */
export class FailedKeys {
  readonly #window: FailedKeysOptions["window"];
  readonly #limit: number;
  readonly #proxies: readonly Network[];
  readonly #log: Log;
  readonly #now: () => number;
  /** So that nobody can tell which addresses, or which keys, are taken for each other. */
  readonly #seed = crypto.getRandomValues(new Uint32Array(1))[0] as number;
  /** Until when some address may be over the limit. While none is, keys are looked up without a look at addresses. */
  #pressedUntil = Number.NEGATIVE_INFINITY;
  readonly #isRemote: boolean;
  #isLookingUp = false;
  /** What addresses were made into last. */
  readonly #customers = new Map<string, number>();
  /** By the seconds that they tell to wait. */
  readonly #refusals: ApiError[] = [];
  readonly #worked = new Marks(WORKED_BITS);
  #toldUntil = Number.NEGATIVE_INFINITY;
  #untold = 0;
  /** How many got a 401, and how many a 429 instead. */
  readonly numbers = { counted: 0, refused: 0 };

  constructor({ window, limit, proxies, isRemote, log, now = () => performance.now() }: FailedKeysOptions) {
    this.#window = window;
    this.#limit = limit;
    this.#proxies = proxies;
    this.#isRemote = isRemote;
    this.#log = log;
    this.#now = now;
  }

  /** What becomes of an error: a 401 is counted, or replaced where its address has had too many. */
  judge(error: ApiError, request: Request, peerOf: PeerOf): ApiError {
    if (error.body.statusCode !== ERRORS.invalid_key.statusCode) return error;
    const customer = this.#customer(request, peerOf);
    const { allowed, remaining, resetSeconds } = this.#window.take(customer, FAILED_ENDPOINT, this.#limit);
    if (!allowed) return this.#refuse(resetSeconds);
    if (remaining === 0) this.#pressedUntil = this.#now() + WINDOW_MS;
    this.numbers.counted++;
    return error;
  }

  /**
   * Looks a key up, by the function. Where that is on another machine, keys from an address over the limit that have
   * never worked here are looked up one at a time, so that they do not flood it; the others of them are refused. In an
   * embedded database a look-up costs less than finding out whether it is worth it.
   */
  lookUp(key: string, request: Request, peerOf: PeerOf, find: Find): ReturnType<Find> {
    return this.#isRemote ? this.#lookUpElsewhere(key, request, peerOf, find) : find();
  }

  async #lookUpElsewhere(key: string, request: Request, peerOf: PeerOf, find: Find) {
    const isSuspect = this.#now() < this.#pressedUntil && !this.#worked.has(this.#numberOfKey(key));
    const standing = isSuspect && this.#look(request, peerOf);
    if (!standing || standing.allowed) return this.#findAndNote(key, find);
    if (this.#isLookingUp) throw this.#refuse(standing.resetSeconds);
    this.#isLookingUp = true;
    try {
      return await this.#findAndNote(key, find);
    } finally {
      this.#isLookingUp = false;
    }
  }

  async #findAndNote(key: string, find: Find): Promise<KeyedDocument | null> {
    const found = await find();
    if (found !== null) this.#worked.add(this.#numberOfKey(key));
    return found;
  }

  #look(request: Request, peerOf: PeerOf): Standing {
    return this.#window.look(this.#customer(request, peerOf), FAILED_ENDPOINT, this.#limit);
  }

  /** Who a request comes from, as a number. A flood comes from few. */
  #customer(request: Request, peerOf: PeerOf): number {
    const peer = peerOf(request) ?? "";
    const forwardedFor = this.#proxies.length > 0 ? request.headers.get(HEADER.forwardedFor) : null;
    const said = forwardedFor === null ? peer : `${peer} ${forwardedFor}`;
    const known = this.#customers.get(said);
    if (known !== undefined) return known;
    const customer = this.#numberOf(clientAddress(peer, forwardedFor, this.#proxies));
    if (this.#customers.size === MOST_CUSTOMERS) this.#customers.clear();
    if (said.length <= LONGEST_KEPT) this.#customers.set(said, customer);
    return customer;
  }

  #numberOf(address: Address | undefined): number {
    return callerNumber(new Uint16Array(address ? customerOf(address) : []), this.#seed);
  }

  /** One line a minute says how many there were: a line for each would let anybody fill the disk. */
  #refuse(retryAfter: number): ApiError {
    this.numbers.refused++;
    this.#untold++;
    const now = this.#now();
    if (now >= this.#toldUntil) {
      this.#log.warn("requests without a good key are refused, since their address has had too many", {
        requests: this.#untold,
      });
      this.#untold = 0;
      this.#toldUntil = now + WINDOW_MS;
    }
    this.#refusals[retryAfter] ??= new ApiError("rate_limited", { retryAfter });
    return this.#refusals[retryAfter];
  }

  #numberOfKey(key: string): number {
    return Bun.hash.xxHash32(key, this.#seed);
  }
}
