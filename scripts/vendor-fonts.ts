import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { $ } from "bun";

/**
 * Puts the fonts of pages into vendor/fonts, at one weight and with the letters of Latin scripts alone, so that all of
 * them have less than 40 KB, and beside them those that preview pictures are drawn with: `bun scripts/vendor-fonts.ts`.
 * What cuts them is fetched for the purpose.
 */
const FOLDER = fileURLToPath(new URL("../vendor/fonts/", import.meta.url));

const VERSION = "5.3.0";
const CUTTER = "subset-font@2.9.0";

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join("");

const LATIN = `${range(0x20, 0x7e)}${range(0xc0, 0xff)}\u00a0·«»£§©°¿¡ŒœŸı–—‘’‚“”„•…‹›€−→`;

/** What most languages of Europe have beyond that. */
const MORE_LATIN = `${[...range(0x100, 0x17e)].filter((letter) => !"ĲĳĸĿŀŉŊŋŒœŦŧı".includes(letter)).join("")}ȘșȚț`;

interface Cut {
  readonly name: string;
  readonly family: string;
  readonly file: string;
  readonly axes: Readonly<Record<string, number>>;
  readonly text: string;
}

const FONTS: readonly Cut[] = [
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

/** What draws pictures reads no WOFF2. A typeface is two files each, as above, since nothing here joins them. */
const DRAWN_FACES = [
  { name: "serif", family: "newsreader", kind: "opsz", axes: { opsz: 72, wght: 420 } },
  { name: "sans", family: "instrument-sans", kind: "wght", axes: { wght: 500 } },
  { name: "sans-bold", family: "instrument-sans", kind: "wght", axes: { wght: 700 } },
  { name: "mono", family: "jetbrains-mono", kind: "wght", axes: { wght: 600 } },
];

const DRAWN_FONTS: readonly Cut[] = DRAWN_FACES.flatMap(({ name, family, kind, axes }) => [
  { name, family, file: `latin-${kind}`, axes, text: LATIN },
  { name: `${name}-more`, family, file: `latin-ext-${kind}`, axes, text: MORE_LATIN },
]);

type Subset = (font: Buffer, text: string, options: object) => Promise<Buffer>;

const temporary = await mkdtemp(join(tmpdir(), "fonts-"));
try {
  const packages = [
    ...new Set([...FONTS, ...DRAWN_FONTS].map(({ family }) => `@fontsource-variable/${family}@${VERSION}`)),
  ];
  await $`npm install --silent --prefix ${temporary} ${packages} ${CUTTER}`;
  const cutter = pathToFileURL(join(temporary, "node_modules/subset-font/index.js")).href;
  const { default: subset } = (await import(cutter)) as { default: Subset };
  const release: Record<string, string> = {};
  const cutOut = async (
    { family, file, axes, text }: Cut,
    targetFormat: "woff2" | "truetype",
  ): Promise<Buffer> => {
    const folder = join(temporary, "node_modules/@fontsource-variable", family);
    const whole = await Bun.file(join(folder, `files/${family}-${file}-normal.woff2`)).bytes();
    await Bun.write(join(FOLDER, `LICENSE-${family}`), Bun.file(join(folder, "LICENSE")));
    return subset(Buffer.from(whole), text, { targetFormat, variationAxes: axes, noLayoutClosure: true });
  };
  for (const font of FONTS) {
    const cut = await cutOut(font, "woff2");
    await Bun.write(join(FOLDER, `${font.name}.woff2`), cut);
    release[font.name] = new Bun.CryptoHasher("sha256").update(cut).digest("hex");
  }
  for (const font of DRAWN_FONTS)
    await Bun.write(join(FOLDER, "drawn", `${font.name}.ttf`), await cutOut(font, "truetype"));
  await Bun.write(
    join(FOLDER, "release.json"),
    `${JSON.stringify({ version: VERSION, sha256: release }, null, 2)}\n`,
  );
} finally {
  await rm(temporary, { recursive: true });
}
