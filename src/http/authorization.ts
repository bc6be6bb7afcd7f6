import { ApiError } from "../contract/errors.ts";
import { hashKey, isWellFormedKey } from "../keys/key.ts";
import type { KeyedDocument } from "../store/reader.ts";

/** RFC 9110, section 11.1: the scheme is case-insensitive, and one or more spaces follow it. */
const BEARER = /^bearer(?: +(.*))?$/i;

/** Reused by every request: a store reads the hash before another request can begin. */
const hash = new Uint8Array(32);

/** The hash of the key in an `Authorization` header. A text that cannot be a key never reaches the store. */
export function keyHashOf(authorization: string | null): Uint8Array {
  if (authorization === null) throw new ApiError("unauthorized");
  const key = authorization.startsWith(USUAL)
    ? authorization.slice(USUAL.length).trimStart()
    : unusualBearer(authorization);
  if (!isWellFormedKey(key)) throw new ApiError("invalid_key");
  return hashKey(key, hash);
}

const USUAL = "Bearer ";

function unusualBearer(authorization: string): string {
  const bearer = BEARER.exec(authorization);
  if (!bearer) throw new ApiError("unauthorized");
  return bearer[1] ?? "";
}

export function refuseEndedKey(key: KeyedDocument, now: number): void {
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now))
    throw new ApiError("expired_key");
}
