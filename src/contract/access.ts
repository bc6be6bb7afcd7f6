/** What a key sees: every value whatever its flag, or what the owner shows to everybody. */
export const VIEWS = ["full", "public"] as const;

export type View = (typeof VIEWS)[number];

export function isView(text: string): text is View {
  return (VIEWS as readonly string[]).includes(text);
}

/** What a key can be confined to. Each route says which of these it belongs to. */
export const KEY_PATHS = [
  "full",
  "linktrees",
  "links",
  "jobs",
  "projects",
  "education",
  "resume",
  "mcp",
] as const;

export type KeyPath = (typeof KEY_PATHS)[number];

/** How long before its end a key is told of: in metrics, and by the client. */
export const EXPIRES_SOON_MS = 14 * 86_400_000;
