import type { Family } from "../metrics/metrics.ts";
import type { Settings } from "../settings.ts";

/** What the parent tells a worker. */
export type ToWorker =
  | { readonly kind: "serve"; readonly settings: Settings }
  | { readonly kind: "collect" }
  | { readonly kind: "ask" }
  | { readonly kind: "stop"; readonly delayMs: number };

/** What a worker tells its parent. */
export type ToParent =
  | { readonly kind: "serving"; readonly url: string }
  | { readonly kind: "alive" }
  | { readonly kind: "failed"; readonly message: string; readonly remedy: string | undefined }
  | { readonly kind: "collected"; readonly families: readonly Family[] };
