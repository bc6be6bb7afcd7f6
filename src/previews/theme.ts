import { DARK, hexOf, LIGHT } from "../html/colours.ts";
import { PREVIEW_HEIGHT as HEIGHT, type Scene, PREVIEW_WIDTH as WIDTH } from "../html/preview.ts";
import type { FaceName } from "./typefaces.ts";

export type Colours = Readonly<Record<keyof typeof LIGHT, string>>;

/** How a theme draws. What it says of type and shape is what its pages have. */
export interface ThemeDrawing {
  readonly face: FaceName;
  readonly isDark?: boolean;
  /** Between two letters of the headline, in parts of their size. */
  readonly spacing: number;
  /** The largest that a headline can be. */
  readonly largest: number;
  readonly headline: keyof Colours;
  readonly title: keyof Colours;
  /** What stands before the headline. */
  readonly prompt?: string;
  /** What all else lies on. */
  ground(colours: Colours): string;
  /** What a picture, or an initial, stands in: how round its corners are, in parts of its side, and its border. */
  readonly roundness: number;
  border(colours: Colours): Border;
  /** What stands for a link where there is no text. */
  readonly bar: Bar;
  /** What is drawn around the title, by where it stands. */
  around?(colours: Colours, place: TitlePlace): string;
}

interface Border {
  readonly width: number;
  readonly colour: string;
  readonly dashes?: string;
  /** How far a hard shadow falls. */
  readonly shadow?: number;
}

interface Bar {
  readonly roundness: number;
  readonly fill: keyof Colours;
  readonly line: keyof Colours;
  readonly lineWidth: number;
  readonly dashes?: string;
  /** Whether it is a line below, and no box. */
  readonly isRule?: boolean;
}

interface TitlePlace {
  readonly x: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const all = (colour: string) => `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colour}"/>`;

/** A glow from above, as pages have. */
const glow = ({ glow, paper }: Colours) =>
  `<defs><radialGradient id="glow" gradientUnits="userSpaceOnUse" cx="600" cy="-190" r="900" gradientTransform="translate(600 -190) scale(1 .8) translate(-600 190)"><stop offset="0" stop-color="${glow}"/><stop offset="1" stop-color="${paper}"/></radialGradient></defs>${all("url(#glow)")}`;

const line = (x: number, y: number, width: number, height: number, colour: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colour}"/>`;

const card = { fill: "card", line: "line", lineWidth: 2 } as const;

const UNCHOSEN: ThemeDrawing = {
  face: "serif",
  spacing: -0.022,
  largest: 120,
  headline: "ink",
  title: "soft",
  ground: (colours) => glow(colours) + line(0, HEIGHT - 14, WIDTH, 14, colours.accent),
  roundness: 0.5,
  border: ({ card }) => ({ width: 10, colour: card }),
  bar: { ...card, roundness: 0.3 },
};

const THEMES: Readonly<Record<string, ThemeDrawing>> = {
  paper: {
    ...UNCHOSEN,
    ground: ({ paper, ink, line: rule }) =>
      [
        all(paper),
        line(72, 60, WIDTH - 144, 5, ink),
        line(72, 71, WIDTH - 144, 2, ink),
        line(72, HEIGHT - 62, WIDTH - 144, 2, rule),
      ].join(""),
    roundness: 0.03,
    bar: { ...card, lineWidth: 3, roundness: 0, isRule: true },
  },
  ink: {
    ...UNCHOSEN,
    face: "sans-bold",
    spacing: -0.03,
    largest: 104,
    title: "ink",
    ground: ({ card, ink, accent }) =>
      `${all(card)}${line(0, 0, 28, HEIGHT, accent)}${line(28, 0, 5, HEIGHT, ink)}`,
    roundness: 0,
    border: ({ ink }) => ({ width: 6, colour: ink, shadow: 16 }),
    bar: { fill: "card", line: "ink", lineWidth: 5, roundness: 0 },
  },
  plain: {
    ...UNCHOSEN,
    face: "sans",
    spacing: -0.03,
    largest: 104,
    title: "accent",
    ground: ({ card }) => all(card),
    border: ({ line: rule }) => ({ width: 3, colour: rule }),
    bar: { ...card, line: "accent", roundness: 0, isRule: true },
    around: ({ accent }, { x, top, width, height }) => line(x, top + height + 8, width, 4, accent),
  },
  bold: {
    ...UNCHOSEN,
    face: "sans-bold",
    spacing: -0.045,
    largest: 132,
    title: "paper",
    ground: ({ glow }) => all(glow),
    border: ({ ink }) => ({ width: 10, colour: ink }),
    bar: { fill: "ink", line: "ink", lineWidth: 0, roundness: 0.5 },
    around: ({ ink }, { x, top, width, height }) =>
      `<rect x="${x}" y="${top - 22}" width="${width + 76}" height="${height + 44}" rx="${Math.min((height + 44) / 2, 50)}" fill="${ink}"/>`,
  },
  night: {
    ...UNCHOSEN,
    isDark: true,
    ground: glow,
    border: ({ line: rule }) => ({ width: 4, colour: rule }),
    bar: { ...card, roundness: 0.2 },
  },
  terminal: {
    ...UNCHOSEN,
    face: "mono",
    isDark: true,
    spacing: -0.02,
    largest: 84,
    headline: "accent",
    title: "ink",
    prompt: "> ",
    ground: ({ paper, line: rule }) =>
      `${all(paper)}<rect x="36" y="36" width="${WIDTH - 72}" height="${HEIGHT - 72}" fill="none" stroke="${rule}" stroke-width="3" stroke-dasharray="14 10"/>`,
    roundness: 0,
    border: ({ line: rule }) => ({ width: 3, colour: rule, dashes: "14 10" }),
    bar: { ...card, lineWidth: 3, dashes: "14 10", roundness: 0 },
  },
};

export function drawingOf({ theme }: Scene): ThemeDrawing {
  return THEMES[theme] ?? UNCHOSEN;
}

export function coloursOf({ hue, strength }: Scene, { isDark }: ThemeDrawing): Colours {
  const shades = Object.entries(isDark ? DARK : LIGHT);
  return Object.fromEntries(shades.map(([role, shade]) => [role, hexOf(shade, hue, strength)])) as Colours;
}
