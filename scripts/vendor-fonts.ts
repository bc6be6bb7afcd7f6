import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { $ } from "bun";

/**
 * Puts the fonts of pages into vendor/fonts, at one weight and with the letters of Latin scripts alone, so that all of
 * them have less than 40 KB: `bun scripts/vendor-fonts.ts`. What cuts them is fetched for the purpose.
 */
const FOLDER = fileURLToPath(new URL("../vendor/fonts/", import.meta.url));

const VERSION = "5.3.0";
const CUTTER = "subset-font@2.9.0";

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join("");

const LATIN = `${range(0x20, 0x7e)}${range(0xc0, 0xff)}\u00a0·«»£§©°¿¡ŒœŸı–—‘’‚“”„•…‹›€−→`;

/** What most languages of Europe have beyond that. */
const MORE_LATIN = `${[...range(0x100, 0x17e)].filter((letter) => !"ĲĳĸĿŀŉŊŋŒœŦŧı".includes(letter)).join("")}ȘșȚț`;

const FONTS = [
  {
    name: "newsreader",
    family: "newsreader",
    file: "latin-opsz",
    axes: { opsz: 24, wght: 460 },
    text: LATIN,
  },
  {
    name: "newsreader-more",
    family: "newsreader",
    file: "latin-ext-opsz",
    axes: { opsz: 24, wght: 460 },
    text: MORE_LATIN,
  },
  {
    name: "instrument-sans",
    family: "instrument-sans",
    file: "latin-wght",
    axes: { wght: 500 },
    text: LATIN,
  },
];

type Subset = (font: Buffer, text: string, options: object) => Promise<Buffer>;

const temporary = await mkdtemp(join(tmpdir(), "fonts-"));
try {
  const packages = [...new Set(FONTS.map(({ family }) => `@fontsource-variable/${family}@${VERSION}`))];
  await $`npm install --silent --prefix ${temporary} ${packages} ${CUTTER}`;
  const cutter = pathToFileURL(join(temporary, "node_modules/subset-font/index.js")).href;
  const { default: subset } = (await import(cutter)) as { default: Subset };
  const release: Record<string, string> = {};
  for (const { name, family, file, axes, text } of FONTS) {
    const folder = join(temporary, "node_modules/@fontsource-variable", family);
    const whole = await Bun.file(join(folder, `files/${family}-${file}-normal.woff2`)).bytes();
    const cut = await subset(Buffer.from(whole), text, {
      targetFormat: "woff2",
      variationAxes: axes,
      noLayoutClosure: true,
    });
    await Bun.write(join(FOLDER, `${name}.woff2`), cut);
    await Bun.write(join(FOLDER, `LICENSE-${family}`), Bun.file(join(folder, "LICENSE")));
    release[name] = new Bun.CryptoHasher("sha256").update(cut).digest("hex");
  }
  await Bun.write(
    join(FOLDER, "release.json"),
    `${JSON.stringify({ version: VERSION, sha256: release }, null, 2)}\n`,
  );
} finally {
  await rm(temporary, { recursive: true });
}
