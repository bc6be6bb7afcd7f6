import type { MaybePromise } from "./maybe-promise.ts";
import { Pauses } from "./pauses.ts";

/** How long is waited for answers, and before a lost service is tried again. */
interface Patience {
  readonly tickMs: number;
  /** The longest that a question waits. */
  readonly maxTicks: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** A connection that lasted this long was a good one, and the next pause is a short one again. */
  readonly goodMs: number;
}

/** A service behind a network, and what is done when it does not answer. */
interface Service<Connection> {
  /** A connection that has shown that the service answers. */
  connect(): Promise<Connection>;
  disconnect(connection: Connection): MaybePromise<void>;
  /** A question has waited too long. Others may have been answered since it came: then the service is not away. */
  onLate(reason: Error, wereOthersAnswered: boolean): void;
  onAway(reason: Error): void;
  onConnected(connection: Connection, wasAway: boolean): void;
}

/**
 * Where questions wait for the answers of a service that may be slow or away, and how its connection comes back. One
 * timer looks after all questions. It counts ticks and does not measure time, because a moment in which this process
 * itself stood still is not the service's.
 */
export class WaitingRoom<Connection, Question extends object> {
  readonly #service: Service<Connection>;
  readonly #patience: Patience;
  readonly #pauses: Pauses;
  /** With the tick in which each came. In their order, so that the first has waited longest. */
  readonly #questions = new Map<Question, number>();
  #connection: Connection | undefined;
  #connectedAt = 0;
  #failure = new Error("no connection yet");
  #isAway = false;
  #isClosed = false;
  #ticks = 0;
  #answeredAt = 0;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(service: Service<Connection>, patience: Patience) {
    this.#service = service;
    this.#patience = patience;
    this.#pauses = new Pauses(patience.firstPauseMs, patience.maxPauseMs);
  }

  /** Nothing while there is none. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Why there is no connection, or was none when it was last tried. */
  get failure(): Error {
    return this.#failure;
  }

  /** Whether waiting is in vain, until there is a new connection. */
  get isAway(): boolean {
    return this.#isAway;
  }

  get questions(): Iterable<Question> {
    return this.#questions.keys();
  }

  enter(question: Question): void {
    this.#questions.set(question, this.#ticks);
    this.#ticker ??= setInterval(this.#tick, this.#patience.tickMs);
  }

  isWaiting(question: Question): boolean {
    return this.#questions.has(question);
  }

  /** The service has answered. False where the question waits no longer, because it was given up. */
  answered(question: Question): boolean {
    this.#answeredAt = this.#ticks;
    return this.#questions.delete(question);
  }

  /** Gives up all questions, and returns them. */
  takeAll(): Question[] {
    const questions = [...this.#questions.keys()];
    this.#questions.clear();
    return questions;
  }

  /** Gives up the questions that have waited too long, and returns them. */
  takeLate(): Question[] {
    const late = [...this.#questions]
      .filter(([, since]) => this.#isLate(since))
      .map(([question]) => question);
    for (const question of late) this.#questions.delete(question);
    return late;
  }

  readonly #tick = (): void => {
    this.#ticks++;
    const [oldest] = this.#questions.values();
    if (oldest === undefined) this.#stopTicking();
    else if (this.#isLate(oldest)) {
      const { tickMs, maxTicks } = this.#patience;
      const reason = new Error(`no answer within ${tickMs * maxTicks} ms`);
      this.#service.onLate(reason, this.#answeredAt >= oldest);
    }
  };

  #isLate(since: number): boolean {
    return this.#ticks - since > this.#patience.maxTicks;
  }

  #stopTicking(): void {
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  /** Gives up a connection. False where that was done before. */
  lose(connection: Connection, reason: Error): boolean {
    if (connection !== this.#connection) return false;
    this.#connection = undefined;
    this.#failure = reason;
    if (performance.now() - this.#connectedAt >= this.#patience.goodMs) this.#pauses.startAgain();
    void this.#service.disconnect(connection);
    return true;
  }

  /** The service counts as away until there is a new connection. */
  goAway(): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    this.#service.onAway(this.#failure);
  }

  /** Tries to connect, again and again. Resolves after the first attempt, however that ended. */
  async connect(): Promise<void> {
    let connection: Connection;
    try {
      connection = await this.#service.connect();
    } catch (error) {
      this.#failure = error as Error;
      this.connectLater();
      return;
    }
    if (this.#isClosed) await this.#service.disconnect(connection);
    else this.use(connection);
  }

  connectLater(): void {
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => void this.connect(), this.#pauses.nextSpread());
    this.#retry.unref();
  }

  use(connection: Connection): void {
    const wasAway = this.#isAway;
    this.#connection = connection;
    this.#connectedAt = performance.now();
    this.#isAway = false;
    this.#service.onConnected(connection, wasAway);
  }

  /** Questions that still wait are the owner's to take. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#stopTicking();
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) await this.#service.disconnect(connection);
  }
}
