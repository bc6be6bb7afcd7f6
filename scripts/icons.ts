/** Takes the icons of well-known services out of simple-icons: `npm run icons`. */
import { join } from "node:path";
import * as all from "simple-icons";
import { DRAWN } from "../src/html/icons/drawn.ts";
import { SERVICES } from "../src/html/icons/services.ts";

const FILE = join(import.meta.dir, "../src/html/icons/taken.ts");

/** The file of the shapes, as it should be. */
export function takenIcons(): string {
  const bySlug = new Map(Object.values(all).map((icon) => [icon.slug, icon.path]));
  const lines = Object.keys(SERVICES)
    .filter((name) => !Object.hasOwn(DRAWN, name))
    .map((name) => {
      const path = bySlug.get(name);
      if (path === undefined) throw new Error(`simple-icons has no ${name}, and we drew none`);
      return `  ${name}: "${path}",\n`;
    });
  return `/** Made by scripts/icons.ts from simple-icons (CC0), as areas in a square of 24. */
export const TAKEN = {
${lines.join("")}} as const;
`;
}

if (import.meta.main) await Bun.write(FILE, takenIcons());
