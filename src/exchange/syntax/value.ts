import type { Position } from "./position.ts";

/** Why a text is nothing in its syntax, where, and what to do about it. */
export interface Fault {
  readonly fault: string;
  readonly advice?: string;
  readonly position?: Position;
}

/** What a text is in a syntax, or why it is nothing. */
export type Parsed = { readonly value: unknown } | Fault;

/** A value of a source and where it stands, such as `people.ndjson: line 3`, or what is wrong at that place. */
export type PlacedValue = { readonly place: string } & Parsed;
