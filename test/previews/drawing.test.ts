import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Scene, sceneText } from "../../src/html/preview.ts";
import { drawPreview } from "../../src/previews/draw.ts";
import { setText } from "../../src/previews/lines.ts";
import { sceneMarkup } from "../../src/previews/markup.ts";
import { type FaceName, typefaceOf } from "../../src/previews/typefaces.ts";
import { THEMES } from "../../src/records/page-fields.ts";

const SCENE: Scene = {
  headline: "Ada Lovelace",
  title: "Find me",
  initial: "A",
  picture: "",
  theme: "",
  hue: 285,
  strength: 1,
};

const draw = (scene: Partial<Scene> = {}, picture?: Uint8Array) =>
  drawPreview(sceneText({ ...SCENE, ...scene }), picture);

/** The colour of each pixel, by a decoder that drew nothing of it. */
async function sizeOf(png: Uint8Array) {
  const { width, height, format } = await new Bun.Image(png).metadata();
  return { width, height, format };
}

const PORTRAIT = await Bun.file(new URL("../../sample/portrait.jpg", import.meta.url)).bytes();

describe("a preview picture", () => {
  test.each(["", ...THEMES])(
    "in the theme %j is a PNG of 1200 by 630 pixels, and the same each time",
    async (theme) => {
      const png = await draw({ theme });
      expect(await sizeOf(png)).toEqual({ width: 1200, height: 630, format: "png" });
      expect(await draw({ theme })).toEqual(png);
    },
  );

  test("is another for each theme, hue, name, title and initial", async () => {
    const scenes: Partial<Scene>[] = [
      ...["", ...THEMES].map((theme) => ({ theme })),
      { hue: 150 },
      { strength: 0 },
      { headline: "Grace Hopper" },
      { title: "" },
      { initial: "B" },
    ];
    const pictures = await Promise.all(scenes.map((scene) => draw(scene)));
    expect(new Set(pictures.map((png) => Bun.hash(png))).size).toBe(scenes.length);
  });

  test.each(["jpeg", "png", "webp"] as const)("shows a portrait that is a %s", async (format) => {
    const portrait = await new Bun.Image(PORTRAIT)[format]().bytes();
    const png = await draw({}, portrait);
    expect(await sizeOf(png)).toMatchObject({ width: 1200, height: 630 });
    expect(png).not.toEqual(await draw());
  });

  test.each([
    ["is no picture", new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3])],
    ["is cut off", PORTRAIT.slice(0, 300)],
    ["is empty", new Uint8Array()],
    [
      "is of a kind that is not uploaded",
      new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ],
  ])("shows the initial where the portrait %s", async (_, portrait) => {
    expect(await draw({}, portrait)).toEqual(await draw());
  });
});

/** A progressive JPEG of one grey block, which goes over it again and again. */
function jpegOf(scans: number): Uint8Array {
  const segment = (marker: number, content: readonly number[]) => [
    0xff,
    marker,
    0,
    content.length + 2,
    ...content,
  ];
  // Both tables have a single code, of one bit: nothing changes, and the block ends.
  const table = (kind: number) => segment(0xc4, [kind, 1, ...new Array<number>(15).fill(0), 0]);
  const first = [...segment(0xda, [1, 1, 0, 0, 0, 0]), 0x7f];
  const further = [...segment(0xda, [1, 1, 0, 1, 63, 0]), 0x7f];
  return new Uint8Array([
    ...[0xff, 0xd8, ...segment(0xdb, [0, ...new Array<number>(64).fill(16)])],
    ...segment(0xc2, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
    ...[...table(0x00), ...table(0x10), ...first],
    ...new Array<number[]>(scans - 1).fill(further).flat(),
    ...[0xff, 0xd9],
  ]);
}

describe("a portrait that goes over itself again and again, as no program writes one,", () => {
  test("is not drawn: it would hold up all other pictures", async () => {
    expect(await draw({}, jpegOf(101))).toEqual(await draw());
  });

  test("is drawn where it does so some times", async () => {
    expect(await draw({}, jpegOf(20))).not.toEqual(await draw());
  });
});

describe("the text of a preview picture", () => {
  const textsIn = (markup: string) => [...markup.matchAll(/<text[^>]*>([^<]*)</g)].map((match) => match[1]);
  const textsOf = async (scene: Partial<Scene>, face: FaceName = "serif") =>
    textsIn(sceneMarkup({ ...SCENE, ...scene }, await typefaceOf(face), undefined));

  test("is name, title and initial", async () => {
    expect(await textsOf({ headline: "Zoë" })).toEqual(["Zoë", "Find me", "A"]);
    expect(await textsOf({ headline: "Łukasz Țepeș" })).toEqual(["Łukasz", "Țepeș", "Find me", "A"]);
    expect(await textsOf({ headline: "Zoë", title: "" })).toEqual(["Zoë", "A"]);
  });

  test("is escaped", async () => {
    const markup = sceneMarkup({ ...SCENE, headline: `</text><a&b"'` }, await typefaceOf("serif"), undefined);
    expect(markup).toContain("&lt;/text&gt;&lt;a&amp;b&quot;");
  });

  test("goes without emoji", async () => {
    expect(await textsOf({ headline: "✨ Zoë 🇵🇱 👩🏽‍🚀", title: "🌱" })).toEqual(["Zoë", "A"]);
  });

  test("goes without marks that nobody sees", async () => {
    const headline = "\u200eZo\u00adë\u200b\u2060\ufeff";
    for (const face of ["serif", "sans", "sans-bold", "mono"] as const)
      expect(await textsOf({ headline, title: "Find\u200c me" }, face)).toEqual(["Zoë", "Find me", "A"]);
  });

  test.each(["山田太郎", "עדה לאבלייס", "أدا لوفلايس", "Ада Лавлейс", "Ada 山田", "🌊"])(
    "is left out where the name is %s",
    async (headline) => {
      expect(await textsOf({ headline, initial: "" })).toEqual([]);
      expect(await sizeOf(await draw({ headline, title: headline, initial: headline }))).toMatchObject({
        width: 1200,
      });
    },
  );

  test("has no title where that has other letters, and keeps the name", async () => {
    expect(await textsOf({ headline: "Zoë", title: "リンク" })).toEqual(["Zoë", "A"]);
  });

  test("is broken at the hyphen of a double name", async () => {
    const headline = "Aleksandra Wiśniewska-Kowalczyk";
    for (const face of ["serif", "sans", "sans-bold", "mono"] as const)
      expect(await textsOf({ headline }, face)).toEqual([
        "Aleksandra",
        "Wiśniewska-",
        "Kowalczyk",
        "Find me",
        "A",
      ]);
  });

  test.each(["serif", "sans", "sans-bold", "mono"] as const)(
    "never leaves its room, however long it is, in %s",
    async (face) => {
      const typeface = await typefaceOf(face);
      const room = {
        width: 600,
        spacing: -0.03,
        indent: "",
        sizes: [
          { size: 100, lines: 2 },
          { size: 60, lines: 3 },
        ],
      };
      const words = fc.array(
        fc.string({ unit: fc.constantFrom(..."aWi.Šß—"), minLength: 1, maxLength: 200 }),
        {
          minLength: 1,
          maxLength: 30,
        },
      );
      fc.assert(
        fc.property(words, (some) => {
          const text = some.join(" ").slice(0, 200).trim();
          const { size, lines } = setText(text, room, typeface);
          expect(lines.length).toBeLessThanOrEqual(3);
          for (const line of lines) {
            expect(line).not.toBe("");
            expect((typeface.widthOf(line) - 0.03 * line.length) * size).toBeLessThanOrEqual(600.001);
          }
          const shown = lines.join("").replaceAll(" ", "");
          const whole = text.replaceAll(" ", "");
          if (shown !== whole) {
            expect(shown).toEndWith("…");
            expect(whole).toStartWith(shown.slice(0, -1));
          }
        }),
      );
    },
  );
});
