import { ApiError } from "../../contract/errors.ts";
import { HEADER } from "../../contract/headers.ts";
import { ROUTES, type Route, type RouteName } from "../../contract/routes.ts";
import { plainAnswer } from "../../packing/answer.ts";
import type { KeyedDocument } from "../../store/reader.ts";
import type { Exchange } from "../exchange.ts";
import { toApiError } from "../exchange-handler.ts";
import type { Serving } from "../parts.ts";
import { INVALID_KEY, mayRead, presentedKey, refuseEndedKey } from "../steps/authorization.ts";
import { findDocument, whyMissing } from "../steps/stored-document.ts";

/** The least document, by which a key is looked up before it is known what the agent asks. */
const LEAST = "links";

/** An agent's answers: the stored documents, each read with the agent's key and checked as the API checks it. */
export class KeyedSource {
  readonly #request: Request;
  readonly #serving: Serving;
  readonly #exchange: Exchange;

  constructor(request: Request, serving: Serving, exchange: Exchange) {
    this.#request = request;
    this.#serving = serving;
    this.#exchange = exchange;
  }

  /** Whose key it is. Fails where it is none, or one that has ended. */
  async admit(): Promise<KeyedDocument> {
    const found = await this.#find(LEAST);
    this.#exchange.keyId = found.keyId;
    this.#exchange.userId = found.userId;
    refuseEndedKey(found, this.#serving.now());
    this.#exchange.keyExpiresAt = found.expiresAt;
    this.#serving.keyUse.note(found.keyId, found.lastUsedAt);
    return found;
  }

  /** What fails here is told to the agent, so that it must not be more than the API would tell. */
  async read(name: RouteName, slug?: string): Promise<string> {
    try {
      const { document, keyPath } = ROUTES.find((route) => route.name === name) as Route;
      const found = await this.#find(document, slug);
      refuseEndedKey(found, this.#serving.now());
      if (!mayRead(keyPath, found)) throw new ApiError("key_not_allowed");
      const { body, length, checksum } = found;
      if (body === null) throw whyMissing(document);
      return new TextDecoder().decode(plainAnswer({ body, length, checksum }));
    } catch (error) {
      throw toApiError(error, this.#exchange.id, this.#serving.log);
    }
  }

  async #find(document: Route["document"], slug = ""): Promise<KeyedDocument> {
    const key = presentedKey(this.#request.headers.get(HEADER.authorization));
    const found = await findDocument(this.#serving, this.#request, key, document, slug);
    if (found === null) throw INVALID_KEY;
    return found;
  }
}
