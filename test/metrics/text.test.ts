import { describe, expect, test } from "bun:test";
import { METRICS, ofWorker, single } from "../../src/metrics/metrics.ts";
import { metricsText } from "../../src/metrics/text.ts";

describe("the text of metrics", () => {
  test("has every metric once, with its help and type, and all its samples behind", () => {
    const text = metricsText([
      ...ofWorker(1, [
        single("vitrine_store_up", 1),
        { name: "vitrine_requests_total", samples: [{ value: 3, labels: { route: "/", status: "200" } }] },
      ]),
      ...ofWorker(2, [single("vitrine_store_up", 0), { name: "vitrine_requests_total", samples: [] }]),
      single("vitrine_workers", 2),
    ]);
    expect(text).toBe(`# HELP vitrine_requests_total ${METRICS.vitrine_requests_total.help}
# TYPE vitrine_requests_total counter
vitrine_requests_total{route="/",status="200",worker="1"} 3

# HELP vitrine_store_up ${METRICS.vitrine_store_up.help}
# TYPE vitrine_store_up gauge
vitrine_store_up{worker="1"} 1
vitrine_store_up{worker="2"} 0

# HELP vitrine_workers ${METRICS.vitrine_workers.help}
# TYPE vitrine_workers gauge
vitrine_workers 2
`);
  });

  test("has a sample of a histogram under the name that says what it is", () => {
    const text = metricsText([
      {
        name: "vitrine_request_duration_seconds",
        samples: [
          { suffix: "_bucket", value: 2, labels: { le: "+Inf", route: "/" } },
          { suffix: "_sum", value: 0.0005, labels: { route: "/" } },
          { suffix: "_count", value: 2, labels: { route: "/" } },
        ],
      },
    ]);
    expect(text.split("\n").slice(1, -1)).toEqual([
      "# TYPE vitrine_request_duration_seconds histogram",
      'vitrine_request_duration_seconds_bucket{le="+Inf",route="/"} 2',
      'vitrine_request_duration_seconds_sum{route="/"} 0.0005',
      'vitrine_request_duration_seconds_count{route="/"} 2',
    ]);
  });

  test("marks what would end a label or its line", () => {
    const labels = { route: 'a"b\\c\nd' };
    const text = metricsText([{ name: "vitrine_limiter_refusals_total", samples: [{ value: 1, labels }] }]);
    expect(text.split("\n")[2]).toBe(String.raw`vitrine_limiter_refusals_total{route="a\"b\\c\nd"} 1`);
  });

  test("has help that needs no mark", () => {
    for (const { help } of Object.values(METRICS)) expect(help).not.toMatch(/[\\\n]/);
  });
});
