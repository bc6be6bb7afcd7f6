/** What an owner finds in the studio, in the order of the navigation. */
export const SECTIONS = [
  "profile",
  "links",
  "jobs",
  "projects",
  "education",
  "numbers",
  "codes",
  "keys",
  "hooks",
  "history",
  "take-along",
  "account",
] as const;

export type Section = (typeof SECTIONS)[number];
