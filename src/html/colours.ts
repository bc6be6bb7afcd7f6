/** A colour but for its hue: how light it is, in percent, and how strong. */
type Shade = readonly [lightness: number, chroma: number];

type Role = "paper" | "glow" | "card" | "line" | "ink" | "soft" | "accent";

/**
 * What every page is coloured by: one hue at fixed lightness. So contrast is the same for every hue, 4.5 to 1 and more
 * for all text.
 */
export const LIGHT: Readonly<Record<Role, Shade>> = {
  paper: [97.6, 0.011],
  glow: [91, 0.055],
  card: [99.6, 0.003],
  line: [88, 0.022],
  ink: [25, 0.025],
  soft: [45, 0.03],
  accent: [48, 0.13],
};

export const DARK: Readonly<Record<Role, Shade>> = {
  paper: [19, 0.016],
  glow: [31, 0.055],
  card: [26, 0.022],
  line: [38, 0.03],
  ink: [95, 0.012],
  soft: [78, 0.025],
  accent: [80, 0.11],
};

/** The glow has its middle above the page: by so many rem, of as many as it reaches down from there. */
export const GLOW_ABOVE = 14;
export const GLOW_REACH = 44;

/** What a page with a glow has at its top. Browsers mix the two as Oklab does. */
export function topOf({ glow, paper }: Readonly<Record<Role, Shade>>): Shade {
  const mixed = (from: number, to: number) => from + ((to - from) * GLOW_ABOVE) / GLOW_REACH;
  return [mixed(glow[0], paper[0]), mixed(glow[1], paper[1])];
}

/** The colours as variables of CSS, for the hue `--h`; `--c` takes the colour out of a grey page. */
export function variables(shades: Readonly<Record<Role, Shade>>, shadow: string): string {
  const all = Object.entries(shades).map(
    ([role, [lightness, chroma]]) => `--${role}:oklch(${lightness}% calc(${chroma}*var(--c,1)) var(--h))`,
  );
  return [...all, `--shade:${shadow}`].join(";");
}

/** The same in greys, for browsers that do not know how the colours are written: Chrome before 111, Safari before 15.4. */
export function greyVariables(shades: Readonly<Record<Role, Shade>>, shadow: string): string {
  const all = Object.entries(shades).map(([role, shade]) => `--${role}:${hexOf(shade, 0, 0)}`);
  return [...all, `--shade:${shadow}`].join(";");
}

/** A shade of a hue as #rrggbb, for what knows no CSS. A colour that no screen has is taken to the nearest edge. */
export function hexOf([lightness, chroma]: Shade, hue: number, strength = 1): string {
  const turn = (hue * Math.PI) / 180;
  const a = chroma * strength * Math.cos(turn);
  const b = chroma * strength * Math.sin(turn);
  const light = lightness / 100;
  const long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
  const parts = linear.map((part) => {
    const encoded = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
    const byte = Math.round(Math.min(Math.max(encoded, 0), 1) * 255);
    return byte.toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}
