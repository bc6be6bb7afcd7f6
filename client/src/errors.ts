interface ErrorBody {
  readonly statusCode: number;
  readonly message: string;
  readonly error: string;
}

/** The server's answer was an error. None of these ever holds the key. */
export class VitrineError extends Error {
  override readonly name = "VitrineError";
  /** The HTTP status: 401, 404, 429 and so on. */
  readonly statusCode: number;
  /** The name of the status, such as `Not Found`. */
  readonly error: string;
  /** After how many seconds it is worth trying again. Only where the server says so: with 429 and 503. */
  readonly retryAfter: number | undefined;
  /** What the operator finds the request by in the server's log. */
  readonly requestId: string | undefined;

  constructor(
    { statusCode, message, error }: ErrorBody,
    details: { readonly retryAfter?: number | undefined; readonly requestId?: string | undefined } = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.error = error;
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId;
  }
}

/** There was no answer, or one that no Vitrine server gives. What went wrong, where it is known, is the `cause`. */
export class VitrineNetworkError extends Error {
  override readonly name = "VitrineNetworkError";
}

/** An attempt took longer than `timeout` allows. */
export class VitrineTimeoutError extends Error {
  override readonly name = "VitrineTimeoutError";
}
