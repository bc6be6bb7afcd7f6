import { timestampOf } from "../keys/lifetime.ts";
import type { TakenDelivery } from "../store/hook-queue.ts";
import type { HookHeader } from "../store/hooks.ts";
import { signatureOf } from "./signature.ts";

/** What is sent to a receiver. */
export interface Message {
  readonly url: string;
  readonly headers: readonly HookHeader[];
  readonly body: string;
}

const AGENT: HookHeader = ["User-Agent", "Vitrine"];

type Announced = Pick<
  TakenDelivery,
  "id" | "url" | "headers" | "body" | "secret" | "event" | "userId" | "details" | "createdAt"
>;

/**
 * The message for a delivery: signed by Standard Webhooks where there is a secret, and otherwise what the hosts of
 * sites want, a POST with the body that was given or none. Each try is signed anew, of the same id and body.
 */
export function messageFor(delivery: Announced, now: number): Message {
  const { id, url, headers, secret } = delivery;
  if (secret === null) return { url, headers: [AGENT, ...headers], body: delivery.body ?? "" };
  const body = bodyOf(delivery);
  const seconds = Math.floor(now / 1000);
  const signed: HookHeader[] = [
    ["Content-Type", "application/json"],
    ["webhook-id", id],
    ["webhook-timestamp", String(seconds)],
    ["webhook-signature", signatureOf(secret, id, seconds, body)],
  ];
  return { url, headers: [AGENT, ...signed, ...headers], body };
}

/** Thin: what has happened to whom. What is there now, the receiver asks for with its key. */
function bodyOf({ event, createdAt, userId, details }: Announced): string {
  const { expiresAt } = details;
  const told = typeof expiresAt === "number" ? { ...details, expiresAt: timestampOf(expiresAt) } : details;
  return JSON.stringify({ type: event, timestamp: timestampOf(createdAt), data: { userId, ...told } });
}
