import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { expectRefusal, load } from "../support/command-line.ts";
import { metricsUrl, readMetrics } from "../support/metrics-page.ts";
import { childrenOf, running } from "../support/processes.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

/** Any name leads to the picture of today. */
const PICTURE = "/preview/t/everything-1/any.png";

function picture(server: ServingProgram): Promise<Uint8Array> {
  return until("the picture", async () => {
    const response = await fetch(server.url + PICTURE);
    return response.status === 200 && response.bytes();
  });
}

describe("serve", () => {
  test("draws a preview picture in a process of its own, keeps it, and ends that process with itself", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using server = await program.serve(["serve", "--metrics-port", "0"]);
    expect(await childrenOf(server.child.pid)).toEqual([]);
    const first = await picture(server);
    expect(await new Bun.Image(first).metadata()).toMatchObject({ width: 1200, height: 630, format: "png" });
    const [drawing = 0, ...others] = await childrenOf(server.child.pid);
    expect(others).toEqual([]);
    expect(await picture(server)).toEqual(first);
    const metrics = await readMetrics(metricsUrl(server));
    expect(metrics.value("vitrine_pictures_total", { result: "drawn" })).toBe(1);
    expect(await server.stop()).toBe(0);
    await until("the process to end", async () => (await running([drawing])).length === 0);

    await using again = await program.serve();
    expect(await picture(again)).toEqual(first);
    expect(await childrenOf(again.child.pid)).toEqual([]);
  });

  test("leaves no process behind that draws when it is killed", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using server = await program.serve();
    await picture(server);
    const [drawing = 0] = await childrenOf(server.child.pid);
    await server.stop("SIGKILL");
    await until("the process to end", async () => (await running([drawing])).length === 0);
  });

  test("draws nothing where that is turned off, and pages go on", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using server = await program.serve(["serve", "--previews", "0"]);
    expect((await fetch(server.url + PICTURE)).status).toBe(404);
    const page = await (await fetch(`${server.url}/t/everything-1`)).text();
    expect(page).toContain('<meta property="og:image" content="https://person1.example/me.png">');
  });

  test("is the only one to start what draws", async () => {
    using program = new Program();
    expectRefusal(await program.run(["draw-previews"]), {
      error: "only `vitrine serve` starts what draws previews",
      remedy: "vitrine serve",
    });
  });
});
