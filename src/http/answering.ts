import type { MaybePromise } from "../async/maybe-promise.ts";
import type { Exchange, Outcome, Params, Work } from "./exchange.ts";
import { type Walk, walkTogether } from "./rounds.ts";

/** How the requests of one path are answered. */
export interface Manner<Path extends string> {
  open(request: Request, params: Params, startedAt: number): Exchange<Path>;
  readonly begin: Work<Path, Outcome>;
  /** Makes an answer of what a step threw. */
  fail(error: unknown, request: Request, exchange: Exchange<Path>): Response;
  finish(request: Request, response: Response, exchange: Exchange<Path>): Response;
}

type Step = Exclude<Outcome, Response>;

type Settle = (response: MaybePromise<Response>) => void;

/** A request on its way through the steps of its path. Where it has to wait for something, it goes on by itself then. */
export class Answering<Path extends string> implements Walk {
  readonly #manner: Manner<Path>;
  readonly #request: Request;
  readonly #params: Params;
  readonly #startedAt: number;
  #exchange: Exchange<Path> | undefined;
  #next: MaybePromise<Outcome> | undefined;
  #settle: Settle = () => {};

  constructor(manner: Manner<Path>, request: Request, params: Params, startedAt: number) {
    this.#manner = manner;
    this.#request = request;
    this.#params = params;
    this.#startedAt = startedAt;
  }

  /** The answer, in step with all others of this turn: at its end, or later. */
  together(): Promise<Response> {
    walkTogether(this);
    return this.#later();
  }

  /** The answer, now if nothing has to be waited for. */
  atOnce(): MaybePromise<Response> {
    let settled: MaybePromise<Response> | undefined;
    this.#settle = (response) => {
      settled = response;
    };
    this.#goOn(undefined);
    return settled ?? this.#later();
  }

  #later(): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.#settle = resolve;
    return promise;
  }

  /** Never throws: others are taken along. */
  step(): boolean {
    try {
      return this.#takeStep();
    } catch (error) {
      this.#settle(Promise.reject(error));
      return false;
    }
  }

  #takeStep(): boolean {
    this.#exchange ??= this.#manner.open(this.#request, this.#params, this.#startedAt);
    const next = this.#next;
    if (next === undefined || typeof next === "function") {
      this.#next = this.#outcomeOf(this.#exchange, next);
      return true;
    }
    if (next instanceof Promise) this.#await(next);
    else this.#settle(this.#manner.finish(this.#request, next, this.#exchange));
    return false;
  }

  #outcomeOf(exchange: Exchange<Path>, step: Step | undefined): MaybePromise<Outcome> {
    try {
      return step ? step() : this.#manner.begin(this.#request, exchange);
    } catch (error) {
      return this.#manner.fail(error, this.#request, exchange);
    }
  }

  #await(outcome: Promise<Outcome>): void {
    const failing = (error: unknown) => () => {
      throw error;
    };
    outcome.catch(failing).then((next) => this.#goOn(next));
  }

  #goOn(next: Outcome | undefined): void {
    this.#next = next;
    while (this.step()) {}
  }
}
