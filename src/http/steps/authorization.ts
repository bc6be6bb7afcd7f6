import type { KeyPath } from "../../contract/access.ts";
import { ApiError } from "../../contract/errors.ts";
import { isWellFormedKey } from "../../keys/key.ts";
import { keyStatus } from "../../keys/lifetime.ts";
import type { KeyedDocument } from "../../store/reader.ts";

/** RFC 9110, section 11.1: the scheme is case-insensitive, and one or more spaces follow it. */
const BEARER = /^bearer(?: +(.*))?$/i;

/** Made once: anybody can have them thrown in any number, and nobody looks where that was. */
const UNAUTHORIZED = new ApiError("unauthorized");
export const INVALID_KEY = new ApiError("invalid_key");
const EXPIRED_KEY = new ApiError("expired_key");

/** The key in an `Authorization` header. A text that cannot be a key never reaches the store. */
export function presentedKey(authorization: string | null): string {
  if (authorization === null) throw UNAUTHORIZED;
  const isUsual = authorization.startsWith(USUAL) && authorization[USUAL.length] !== " ";
  const key = isUsual ? authorization.slice(USUAL.length) : unusualBearer(authorization);
  if (!isWellFormedKey(key)) throw INVALID_KEY;
  return key;
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
