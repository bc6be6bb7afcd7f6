import { HEADER } from "../contract/headers.ts";
import { type Conflict, FAULT_STATUS, type Fault, type FaultName, type Problems } from "./contract.ts";

/** What a fault says beside its name and its sentence. */
type Details = Partial<Omit<Problems, keyof Fault>> & Partial<Omit<Conflict, keyof Fault>>;

/** A request that is refused, and the sentence with which a person is told. */
export class StudioFault extends Error {
  override readonly name = "StudioFault";
  readonly fault: FaultName;
  readonly details: Details;
  /** What the answer says to a program: when to try again, or how else to ask. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    fault: FaultName,
    message: string,
    details: Details = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.fault = fault;
    this.details = details;
    this.headers = headers;
  }

  get status(): number {
    return FAULT_STATUS[this.fault];
  }

  get body(): Fault & Details {
    return { fault: this.fault, message: this.message, ...this.details };
  }
}

export function notFound(what: string): StudioFault {
  return new StudioFault("not-found", `There is no such ${what}.`);
}

/** The header of a fault after which the same may go well, in so many whole seconds. */
export function retryAfter(seconds: number): Record<string, string> {
  return { [HEADER.retryAfter]: String(seconds) };
}
