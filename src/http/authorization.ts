import { ApiError } from "../contract/errors.ts";
import { hashKey, isWellFormedKey } from "../keys/key.ts";
import type { KeyedDocument } from "../store/reader.ts";

/** RFC 9110, section 11.1: the scheme is case-insensitive, and one or more spaces follow it. */
const BEARER = /^bearer(?: +(.*))?$/i;

/** Reused by every request: a store reads the hash before another request can begin. */
const hash = new Uint8Array(32);

/** The hash of the key in an `Authorization` header. A text that cannot be a key never reaches the store. */
export function keyHashOf(authorization: string | null): Uint8Array {
  const bearer = authorization === null ? null : BEARER.exec(authorization);
  if (!bearer) throw new ApiError("unauthorized");
  const key = bearer[1] ?? "";
  if (!isWellFormedKey(key)) throw new ApiError("invalid_key");
  return hashKey(key, hash);
}

export function refuseEndedKey(key: KeyedDocument, now: number): void {
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now))
    throw new ApiError("expired_key");
}
