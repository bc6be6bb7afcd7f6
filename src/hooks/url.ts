import { HookRefused } from "./refusal.ts";

const MAX_LENGTH = 2000;

/** The URL of a hook as it is stored. Throws `HookRefused`. */
export function checkHookUrl(text: string): string {
  if (!URL.canParse(text)) throw new HookRefused("no-url", "it is no URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new HookRefused("scheme", "its scheme is neither https nor http");
  if (url.username !== "" || url.password !== "")
    throw new HookRefused("credentials", "it has a user or a password in it");
  url.hash = "";
  if (url.href.length > MAX_LENGTH)
    throw new HookRefused("too-long", `it has more than ${MAX_LENGTH} characters`);
  return url.href;
}

/** What may be shown of a hook's URL: of many, the rest is the secret. */
export function maskUrl(url: string): string {
  return `${new URL(url).origin}/…`;
}
