import { type Html, html } from "../src/html/html.ts";

/** Charts as SVG that follow the reader's light or dark scheme, and need nothing but a browser. */

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #333 }
  .title { font-size: 16px; font-weight: 600; fill: #111 }
  .note { fill: #666 }
  .end { text-anchor: end }
  .middle { text-anchor: middle }
  .grid { stroke: #ddd }
  .axis { stroke: #888 }
  .back { fill: #fff }
  .first { --colour: #0f766e } .second { --colour: #6b7280 } .third { --colour: #b45309 }
  rect.first, rect.second, rect.third, circle { fill: var(--colour) }
  polyline { fill: none; stroke: var(--colour); stroke-width: 2.5; stroke-linejoin: round }
  text.first, text.second, text.third { fill: var(--colour); font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ccc } .title { fill: #f4f4f4 } .note { fill: #999 }
    .grid { stroke: #333 } .axis { stroke: #777 } .back { fill: #16181c }
    .first { --colour: #2dd4bf } .second { --colour: #9aa4b2 } .third { --colour: #f59e0b }
  }`;

const WIDTH = 760;
const SERIES = ["first", "second", "third"];

function svg(height: number, title: string, content: readonly Html[]): string {
  const width = String(WIDTH);
  const markup = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${String(height)}" width="${width}" height="${String(height)}" role="img" aria-label="${title}">
<style>${STYLE}</style>
<rect class="back" width="${width}" height="${String(height)}" rx="8"/>
<text class="title" x="24" y="34">${title}</text>
${content}</svg>
`;
  return markup.toString();
}

const at = (value: number) => value.toFixed(1).replace(/\.0$/, "");

interface Bars {
  readonly title: string;
  readonly groups: readonly {
    readonly name: string;
    readonly bars: readonly { readonly name: string; readonly value: number }[];
  }[];
}

/** Horizontal bars, a group below the other, the first bar of each in the colour that stands out. */
export function barChart({ title, groups }: Bars): string {
  const left = 268;
  const room = WIDTH - left - 90;
  const row = 26;
  const content: Html[] = [];
  let y = 64;
  for (const { name, bars } of groups) {
    const most = Math.max(...bars.map(({ value }) => value));
    content.push(html`<text class="note" x="24" y="${at(y)}">${name}</text>\n`);
    y += 12;
    for (const [index, bar] of bars.entries()) {
      const colour = index === 0 ? "first" : "second";
      const length = (bar.value / most) * room;
      content.push(html`<text class="end" x="${at(left - 12)}" y="${at(y + 15)}">${bar.name}</text>
<rect class="${colour}" x="${at(left)}" y="${at(y + 2)}" width="${at(Math.max(length, 1))}" height="18" rx="3"/>
<text x="${at(left + length + 8)}" y="${at(y + 15)}">${Math.round(bar.value).toLocaleString("en")}</text>\n`);
      y += row;
    }
    y += 34;
  }
  return svg(y - 14, title, content);
}

export interface Lines {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
}

/** Lines over a logarithmic axis, each with its name where it ends. */
export function lineChart({ title, x, y, series }: Lines): string {
  const height = 400;
  const area = { left: 88, right: WIDTH - 170, top: 84, bottom: height - 62 };
  const all = series.flatMap(({ points }) => points);
  const places = [...new Set(all.map(([place]) => place))].toSorted((one, other) => one - other);
  const [least = 1, most = 10] = [places.at(0), places.at(-1)];
  const ticks = ticksUpTo(Math.max(...all.map(([, value]) => value)));
  const top = ticks.at(-1) ?? 1;
  const span = Math.log(most / least) || 1;
  const across = (place: number) =>
    area.left + 16 + (Math.log(place / least) / span) * (area.right - area.left - 32);
  const up = (value: number) => area.bottom - (value / top) * (area.bottom - area.top);

  const content: Html[] = ticks.map(
    (
      tick,
    ) => html`<line class="${tick === 0 ? "axis" : "grid"}" x1="${at(area.left)}" x2="${at(area.right)}" y1="${at(up(tick))}" y2="${at(up(tick))}"/>
<text class="end" x="${at(area.left - 10)}" y="${at(up(tick) + 4)}">${tick.toLocaleString("en")}</text>\n`,
  );
  for (const place of places) {
    content.push(
      html`<text class="middle" x="${at(across(place))}" y="${at(area.bottom + 22)}">${place.toLocaleString("en")}</text>\n`,
    );
  }
  const middle = (area.left + area.right) / 2;
  content.push(html`<text class="note middle" x="${at(middle)}" y="${at(height - 16)}">${x}</text>
<text class="note" x="24" y="${at(area.top - 24)}">${y}</text>\n`);

  const labels = spread(series.map(({ points }) => up(points.at(-1)?.[1] ?? 0)));
  for (const [index, { name, points }] of series.entries()) {
    const colour = SERIES[index % SERIES.length] ?? "first";
    const line = points.map(([place, value]) => `${at(across(place))},${at(up(value))}`).join(" ");
    const dots = points.map(
      ([place, value]) =>
        html`<circle class="${colour}" cx="${at(across(place))}" cy="${at(up(value))}" r="4"/>`,
    );
    content.push(html`<polyline class="${colour}" points="${line}"/>${dots}
<text class="${colour}" x="${at(area.right + 4)}" y="${at((labels[index] ?? 0) + 4)}">${name}</text>\n`);
  }
  return svg(height, title, content);
}

/** Heights at least a line apart, in the order that they were in, so that names do not cover each other. */
function spread(heights: readonly number[]): number[] {
  const result = [...heights];
  const order = [...heights.keys()].toSorted((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  let last = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    last = Math.max(heights[index] ?? 0, last + 18);
    result[index] = last;
  }
  return result;
}

/** Round numbers from zero to just above the largest value. */
function ticksUpTo(largest: number): number[] {
  const raw = largest / 5;
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5, 10].find((times) => times * magnitude >= raw) ?? 10) * magnitude;
  const count = Math.ceil(largest / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
