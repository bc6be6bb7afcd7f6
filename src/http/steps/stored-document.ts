import type { MaybePromise } from "../../async/maybe-promise.ts";
import { ApiError } from "../../contract/errors.ts";
import type { Route } from "../../contract/routes.ts";
import { hashKey, viewOf } from "../../keys/key.ts";
import type { DocumentReader, KeyedDocument } from "../../store/reader.ts";
import type { FailedKeys } from "./failed-keys.ts";

/** What finding takes, of all that serving does. */
interface Finding {
  readonly reader: Pick<DocumentReader, "readDocument" | "readLinkTree">;
  readonly failedKeys?: FailedKeys | undefined;
  readonly peerOf: (request: Request) => string | undefined;
}

/** A key together with what it finds of a route, in the view that the key has. */
export function findDocument(
  { reader, failedKeys, peerOf }: Finding,
  request: Request,
  key: string,
  kind: Route["document"],
  slug: string,
): MaybePromise<KeyedDocument | null> {
  const find = () =>
    kind === "linktree"
      ? reader.readLinkTree(hashKey(key), slug, viewOf(key))
      : reader.readDocument(hashKey(key), kind, viewOf(key));
  return failedKeys ? failedKeys.lookUp(key, request, peerOf, find) : find();
}

/** Why a key that is known finds no document. */
export function whyMissing(kind: Route["document"]): Error {
  if (kind === "linktree") return new ApiError("tree_not_found");
  return new Error(`a user has no ${kind} document`);
}
