import type { VitrineErrorCode } from "./error-code.ts";
import type { NetworkReason } from "./reason.ts";

interface ErrorBody {
  readonly statusCode: number;
  readonly message: string;
  readonly error: string;
}

/** What every error of this client is, whatever went wrong. None of them ever holds the key. */
export abstract class VitrineFailure extends Error {}

interface Details {
  readonly code?: VitrineErrorCode | undefined;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
}

/** The server's answer was an error. */
export class VitrineError extends VitrineFailure {
  override readonly name = "VitrineError";
  /** The HTTP status: 401, 404, 429 and so on. */
  readonly statusCode: number;
  /** Which error of the API it is. Undefined where something else than a Vitrine server answered. */
  readonly code: VitrineErrorCode | undefined;
  /** The name of the status, such as `Not Found`. */
  readonly error: string;
  /** After how many seconds it is worth trying again. Only where the server says so: with 429 and 503. */
  readonly retryAfter: number | undefined;
  /** What the operator finds the request by in the server's log. */
  readonly requestId: string | undefined;

  constructor({ statusCode, message, error }: ErrorBody, details: Details = {}) {
    super(message);
    this.statusCode = statusCode;
    this.code = details.code;
    this.error = error;
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId;
  }
}

/** There was no answer, or one that no Vitrine server gives. The message says why; the `cause` is the runtime's own. */
export class VitrineNetworkError extends VitrineFailure {
  override readonly name = "VitrineNetworkError";
  /** Why there was no answer, where the runtime tells. A browser does not. */
  readonly reason: NetworkReason | undefined;

  constructor(
    message: string,
    details: { readonly cause?: unknown; readonly reason?: NetworkReason | undefined } = {},
  ) {
    super(message, "cause" in details ? { cause: details.cause } : {});
    this.reason = details.reason;
  }
}

/** An attempt took longer than `timeout` allows. */
export class VitrineTimeoutError extends VitrineFailure {
  override readonly name = "VitrineTimeoutError";
}
