import { useRef, useState } from "preact/hooks";
import { useWidth } from "../controls/use-width.ts";
import { counted } from "../words.ts";
import { type Span, type SpanKind, stepFor, tickOf } from "./spans.ts";

const HEIGHT = 240;
const MARGIN = { top: 12, right: 22, bottom: 28, left: 40 };
const GRID_LINES = 4;
/** The least room for the words below a bar. */
const TICK_WIDTH = 56;

/** Views as broad bars and clicks as narrow ones before them. What is not over is drawn open. */
export function Chart({ spans, kind }: { readonly spans: readonly Span[]; readonly kind: SpanKind }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [pointed, setPointed] = useState<number>();
  const step = stepFor(Math.max(...spans.flatMap(({ views, clicks }) => [views, clicks])), GRID_LINES);
  const highest = step * GRID_LINES;
  const inner = {
    width: Math.max(0, width - MARGIN.left - MARGIN.right),
    height: HEIGHT - MARGIN.top - MARGIN.bottom,
  };
  const slot = inner.width / Math.max(1, spans.length);
  const y = (value: number) => MARGIN.top + inner.height * (1 - value / highest);
  const every = Math.max(1, Math.ceil(TICK_WIDTH / Math.max(1, slot)));
  const chosen = spans[pointed ?? spans.length - 1];
  return (
    <figure class="chart">
      <figcaption>
        <span class="legend views">Views</span>
        <span class="legend clicks">Clicks</span>
        {chosen && (
          <span class="chart-words">
            {chosen.name}
            {chosen.part ? ` (${chosen.part})` : ""}: {counted(chosen.views, "view")},{" "}
            {counted(chosen.clicks, "click")}
          </span>
        )}
      </figcaption>
      <div ref={box}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="img"
            aria-label={`Views and clicks by ${kind}. The table below has the same numbers.`}
            onPointerLeave={() => setPointed(undefined)}
          >
            {Array.from({ length: GRID_LINES + 1 }, (_, line) => step * line).map((value) => (
              <g key={value} class="grid">
                <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(value)} y2={y(value)} />
                <text x={MARGIN.left - 8} y={y(value)} dy="0.32em" text-anchor="end">
                  {value.toLocaleString("en", { notation: "compact" })}
                </text>
              </g>
            ))}
            {spans.map((span, index) => {
              const left = MARGIN.left + slot * index;
              const isTicked = (spans.length - 1 - index) % every === 0;
              return (
                <g
                  key={span.from}
                  class={span.part ? "bar open" : "bar"}
                  data-pointed={index === pointed ? "" : undefined}
                >
                  <rect
                    class="room"
                    x={left}
                    y={MARGIN.top}
                    width={slot}
                    height={inner.height}
                    onPointerEnter={() => setPointed(index)}
                  />
                  <Bar
                    kind="views"
                    x={left + slot * 0.14}
                    width={slot * 0.72}
                    top={y(span.views)}
                    bottom={y(0)}
                  />
                  <Bar
                    kind="clicks"
                    x={left + slot * 0.32}
                    width={slot * 0.36}
                    top={y(span.clicks)}
                    bottom={y(0)}
                  />
                  {isTicked && (
                    <text x={left + slot / 2} y={HEIGHT - 8} text-anchor="middle">
                      {tickOf(span, kind)}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
      </div>
    </figure>
  );
}

interface BarProps {
  readonly kind: "views" | "clicks";
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
}

function Bar({ kind, x, width, top, bottom }: BarProps) {
  const radius = Math.min(4, width / 2, bottom - top);
  if (bottom - top <= 0) return null;
  const path = `M${x} ${bottom}V${top + radius}q0 ${-radius} ${radius} ${-radius}H${x + width - radius}q${radius} 0 ${radius} ${radius}V${bottom}Z`;
  return <path class={kind} d={path} />;
}
