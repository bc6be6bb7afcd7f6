import type { Route } from "../contract/routes.ts";
import type { SlidingWindow } from "../limits/limiter.ts";
import type { Log } from "../logging/log.ts";
import type { DocumentReader, StoredPreview } from "../store/reader.ts";
import type { KeyUse } from "../tracking/key-use.ts";
import type { Visits } from "../tracking/visits.ts";
import type { Cors } from "./steps/cors.ts";
import type { FailedKeys } from "./steps/failed-keys.ts";
import type { LongAnswers } from "./steps/long-answers.ts";
import type { RequestMetrics } from "./steps/request-metrics.ts";

/** Draws preview pictures, beside the requests. */
export interface PreviewSource {
  /** The picture, which is kept then; nothing where it cannot be had now. */
  draw(wanted: StoredPreview): Promise<Uint8Array | undefined>;
}

/** All that answering a request takes. Nothing here can write a record or issue a key. */
export interface Parts {
  readonly reader: DocumentReader;
  readonly limiter: SlidingWindow;
  readonly limits: Readonly<Record<Route["limit"], number>>;
  /** Absent where addresses may send as many wrong keys as they like. */
  readonly failedKeys?: FailedKeys | undefined;
  readonly keyUse: Pick<KeyUse, "note">;
  readonly visits: Visits;
  /** Whether views and clicks can be written now. While they cannot, they wait. */
  readonly canCount: () => boolean;
  /** The origin that visitors know the server by, or nothing where it is not known. */
  readonly publicUrl: string;
  /** What the operator calls the site. */
  readonly siteName: string;
  /** Where to tell of security problems, as a URL, or nothing. */
  readonly securityContact: string;
  /** Absent where nothing is drawn. */
  readonly previews?: PreviewSource | undefined;
  readonly cors: Cors;
  readonly log: Log;
  /** Absent where nobody looks at them. */
  readonly metrics?: RequestMetrics | undefined;
  /** The wall clock, by which keys expire. */
  readonly now: () => number;
}

/** The parts while they serve. */
export interface Serving extends Parts {
  /** Set when the process is about to stop: callers are told to connect anew, and so elsewhere. */
  isDraining: boolean;
  /** To be called where an answer may be long: who reads it slowly but steadily is not cut off. */
  giveTimeToRead(request: Request, bytes: number): void;
  readonly longAnswers: LongAnswers;
  /** The address that a request was sent from, or nothing where the connection is gone. */
  peerOf(request: Request): string | undefined;
}
