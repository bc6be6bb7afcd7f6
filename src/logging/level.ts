/** How much is logged: everything from the level that a setting names. Nothing has the level silent. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
