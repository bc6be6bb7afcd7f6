import type { KeyPath } from "../../contract/access.ts";
import { ApiError } from "../../contract/errors.ts";
import { hashKey, isWellFormedKey } from "../../keys/key.ts";
import { keyStatus } from "../../keys/lifetime.ts";
import type { KeyedDocument } from "../../store/reader.ts";

/** RFC 9110, section 11.1: the scheme is case-insensitive, and one or more spaces follow it. */
const BEARER = /^bearer(?: +(.*))?$/i;

/** Made once: anybody can have them thrown in any number, and nobody looks where that was. */
const UNAUTHORIZED = new ApiError("unauthorized");
export const INVALID_KEY = new ApiError("invalid_key");
const EXPIRED_KEY = new ApiError("expired_key");

/** A key as a caller presents it, and what the store knows it by. */
export interface PresentedKey {
  readonly text: string;
  readonly hash: Uint8Array;
}

/** The key in an `Authorization` header. A text that cannot be a key never reaches the store. */
export function presentedKey(authorization: string | null): PresentedKey {
  if (authorization === null) throw UNAUTHORIZED;
  const isUsual = authorization.startsWith(USUAL) && authorization[USUAL.length] !== " ";
  const text = isUsual ? authorization.slice(USUAL.length) : unusualBearer(authorization);
  if (!isWellFormedKey(text)) throw INVALID_KEY;
  return { text, hash: hashKey(text) };
}

const USUAL = "Bearer ";

function unusualBearer(authorization: string): string {
  const bearer = BEARER.exec(authorization);
  if (!bearer) throw UNAUTHORIZED;
  return bearer[1] ?? "";
}

export function refuseEndedKey(key: KeyedDocument, now: number): void {
  if (keyStatus(key, now) !== "active") throw EXPIRED_KEY;
}

/** Whether a key that is confined to some paths may read this one. */
export function mayRead(path: KeyPath, { paths }: KeyedDocument): boolean {
  return paths === null || paths.split(",").includes(path);
}
