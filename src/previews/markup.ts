import { html } from "../html/html.ts";
import { PREVIEW_HEIGHT as HEIGHT, type Scene, PREVIEW_WIDTH as WIDTH } from "../html/preview.ts";
import { type SetText, setText } from "./lines.ts";
import { type Colours, coloursOf, drawingOf, type ThemeDrawing } from "./theme.ts";
import type { Typeface } from "./typeface.ts";

const MARGIN = 92;
const FACE = 296;
/** Between the text and the face. */
const GUTTER = 60;
const TEXT_WIDTH = WIDTH - 2 * MARGIN - FACE - GUTTER;

/** How tall a line is, and how far below its top letters stand, in parts of the size. */
const HEADLINE_LEADING = 1.04;
const TITLE_LEADING = 1.3;
const ASCENT = 0.8;
const TITLE_GAP = 30;

/** A face alone, above bars in place of links, with strokes of these lengths in place of words. */
const LONE_FACE = 204;
const LONE_TOP = 88;
const BAR_WIDTH = 520;
const BAR_HEIGHT = 54;
const BAR_GAP = 18;
const STROKES = [210, 280, 160];

/** A picture that is drawn: the text of a PNG in base64. */
export type Portrait = string | undefined;

/** All that each part of a picture is drawn from. */
interface Picture {
  readonly scene: Scene;
  readonly drawing: ThemeDrawing;
  readonly colours: Colours;
  readonly typeface: Typeface;
  readonly portrait: Portrait;
}

/** The scene as SVG. Letters that the typeface lacks, and texts that run from right to left, leave all text out. */
export function sceneMarkup(scene: Scene, typeface: Typeface, portrait: Portrait): string {
  const drawing = drawingOf(scene);
  const colours = coloursOf(scene, drawing);
  const picture = { scene, drawing, colours, typeface, portrait };
  const headline = drawable(scene.headline, typeface);
  const content =
    headline === undefined
      ? withoutText(picture)
      : withText(headline, drawable(scene.title, typeface) ?? "", picture);
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${WIDTH}" height="${HEIGHT}" font-family="${typeface.family}">${drawing.ground(colours)}${content}</svg>`;
}

/** Emoji, and what cannot be seen: joiners, marks of direction, places to break a word at. */
const LEFT_OUT =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{Default_Ignorable_Code_Point}|\u20e3/u;

/** A text without what may be left out of it where the typeface lacks it; nothing where it lacks more, or all. */
function drawable(text: string, typeface: Typeface): string | undefined {
  const letters = [...text.normalize("NFC")].filter(
    (character) => typeface.has(character) || !LEFT_OUT.test(character),
  );
  const shown = letters.join("").replace(/\s+/g, " ").trim();
  return shown !== "" && typeface.has(shown) ? shown : undefined;
}

function withText(headline: string, title: string, picture: Picture): string {
  const { drawing, colours, typeface } = picture;
  const { largest, spacing, prompt = "" } = drawing;
  const big = setText(
    headline,
    {
      width: TEXT_WIDTH,
      spacing,
      indent: prompt,
      sizes: [
        { size: largest, lines: 2 },
        { size: largest * 0.86, lines: 2 },
        { size: largest * 0.74, lines: 2 },
        { size: largest * 0.66, lines: 2 },
        { size: largest * 0.6, lines: 3 },
        { size: largest * 0.48, lines: 4 },
      ],
    },
    typeface,
  );
  const prompted = big.lines.map((text, index) => (index === 0 ? prompt : " ".repeat(prompt.length)) + text);
  const inset = drawing.around && drawing.title === "paper" ? 38 : 0;
  const small = setText(
    title,
    {
      width: TEXT_WIDTH - 2 * inset,
      spacing: 0,
      indent: "",
      sizes: [
        { size: 44, lines: 1 },
        { size: 38, lines: 2 },
        { size: 32, lines: 2 },
      ],
    },
    typeface,
  );
  const bigHeight = big.lines.length * big.size * HEADLINE_LEADING;
  const smallHeight = title === "" ? 0 : small.lines.length * small.size * TITLE_LEADING;
  const gap = title === "" ? 0 : TITLE_GAP + inset;
  const top = (HEIGHT - bigHeight - gap - smallHeight) / 2;
  const titleTop = top + bigHeight + gap;
  const around =
    title !== "" &&
    drawing.around?.(colours, {
      x: MARGIN,
      top: titleTop,
      width: Math.max(...small.lines.map((text) => typeface.widthOf(text))) * small.size,
      height: smallHeight,
    });
  return [
    textMarkup(
      { ...big, lines: prompted },
      MARGIN,
      top,
      HEADLINE_LEADING,
      colours[drawing.headline],
      spacing,
    ),
    around || "",
    title === ""
      ? ""
      : textMarkup(
          small,
          MARGIN + inset,
          titleTop + small.size * 0.12,
          TITLE_LEADING,
          colours[drawing.title],
          0,
        ),
    faceMarkup(WIDTH - MARGIN - FACE, (HEIGHT - FACE) / 2, FACE, picture),
  ].join("");
}

function textMarkup(
  { size, lines }: SetText,
  x: number,
  top: number,
  leading: number,
  colour: string,
  spacing: number,
): string {
  const rows = lines.map((text, index) => {
    const y = top + (index * leading + ASCENT) * size;
    return html`<text x="${String(x)}" y="${y.toFixed(1)}">${text}</text>`;
  });
  return `<g font-size="${size}" fill="${colour}" letter-spacing="${(spacing * size).toFixed(2)}" xml:space="preserve">${rows.join("")}</g>`;
}

/** The owner's picture, or the first letter, in the shape that the theme has for it. */
function faceMarkup(x: number, y: number, side: number, picture: Picture): string {
  const { drawing, colours, portrait } = picture;
  const { width, colour, dashes, shadow = 0 } = drawing.border(colours);
  const radius = drawing.roundness * side;
  const shape = (grown: number, more: string) =>
    `<rect x="${x - grown}" y="${y - grown}" width="${side + 2 * grown}" height="${side + 2 * grown}" rx="${radius === 0 ? 0 : radius + grown}" ${more}/>`;
  const fallen =
    shadow === 0
      ? ""
      : `<g transform="translate(${shadow} ${shadow})">${shape(width, `fill="${colour}"`)}</g>`;
  const inside =
    portrait === undefined
      ? shape(0, `fill="${colours.accent}"`) + initialMarkup(x, y, side, picture)
      : `<clipPath id="face">${shape(0, "")}</clipPath>${shape(0, `fill="${colours.card}"`)}<image x="${x}" y="${y}" width="${side}" height="${side}" preserveAspectRatio="xMidYMid slice" clip-path="url(#face)" xlink:href="data:image/png;base64,${portrait}"/>`;
  const border = shape(
    width / 2,
    `fill="none" stroke="${colour}" stroke-width="${width}"${dashes ? ` stroke-dasharray="${dashes}"` : ""}`,
  );
  return fallen + inside + border;
}

function initialMarkup(x: number, y: number, side: number, { scene, colours, typeface }: Picture): string {
  const { initial } = scene;
  const { paper } = colours;
  const centre = x + side / 2;
  if (initial !== "" && typeface.has(initial)) {
    const size = side * 0.52;
    return String(
      html`<text x="${String(centre)}" y="${String(y + side / 2 + size * 0.34)}" text-anchor="middle" font-size="${String(size)}" fill="${paper}">${initial}</text>`,
    );
  }
  // A head and shoulders, where there is no letter that can be drawn.
  const part = side / 100;
  return `<g fill="${paper}" opacity=".92"><circle cx="${centre}" cy="${y + 40 * part}" r="${15 * part}"/><path d="M${centre - 28 * part} ${y + 82 * part}a${28 * part} ${22 * part} 0 0 1 ${56 * part} 0z"/></g>`;
}

/** The page in outline: whose it is, and that there are links. */
function withoutText(picture: Picture): string {
  const { drawing, colours } = picture;
  const { fill, line, lineWidth, dashes, roundness, isRule } = drawing.bar;
  const x = (WIDTH - BAR_WIDTH) / 2;
  const isInk = fill === "ink";
  const bars = STROKES.map((stroke, index) => {
    const y = LONE_TOP + LONE_FACE + 46 + index * (BAR_HEIGHT + BAR_GAP);
    const middle = y + BAR_HEIGHT / 2;
    const isLast = index === STROKES.length - 1;
    const rule = isLast
      ? ""
      : `<rect x="${x}" y="${y + BAR_HEIGHT + BAR_GAP / 2}" width="${BAR_WIDTH}" height="${lineWidth}" fill="${colours[line]}"/>`;
    const box = isRule
      ? rule
      : `<rect x="${x}" y="${y}" width="${BAR_WIDTH}" height="${BAR_HEIGHT}" rx="${roundness * BAR_HEIGHT}" fill="${colours[fill]}" stroke="${colours[line]}" stroke-width="${lineWidth}"${dashes ? ` stroke-dasharray="${dashes}"` : ""}/>`;
    return `${box}<circle cx="${x + 36}" cy="${middle}" r="10" fill="${isInk ? colours.paper : colours.accent}"/><rect x="${x + 68}" y="${middle - 5}" width="${stroke}" height="10" rx="5" fill="${isInk ? colours.paper : colours.soft}" opacity=".45"/>`;
  });
  return faceMarkup((WIDTH - LONE_FACE) / 2, LONE_TOP, LONE_FACE, picture) + bars.join("");
}
