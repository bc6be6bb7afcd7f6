import type { MaybePromise } from "../../async/maybe-promise.ts";
import { ApiError } from "../../contract/errors.ts";
import type { Route } from "../../contract/routes.ts";
import { viewOf } from "../../keys/key.ts";
import type { DocumentReader, KeyedDocument } from "../../store/reader.ts";
import type { PresentedKey } from "./authorization.ts";
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
  { text, hash }: PresentedKey,
  kind: Route["document"],
  slug: string,
): MaybePromise<KeyedDocument | null> {
  const find = () =>
    kind === "linktree"
      ? reader.readLinkTree(hash, slug, viewOf(text))
      : reader.readDocument(hash, kind, viewOf(text));
  return failedKeys ? failedKeys.lookUp(text, request, peerOf, find) : find();
}

/** Why a key that is known finds no document. */
export function whyMissing(kind: Route["document"]): Error {
  if (kind === "linktree") return new ApiError("tree_not_found");
  return new Error(`a user has no ${kind} document`);
}
