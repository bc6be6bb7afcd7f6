import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_WAITING_BYTES, PatientOutput } from "../../src/logging/patient-output.ts";
import { NamedPipe } from "../support/named-pipe.ts";
import { until } from "../support/until.ts";

const GAP = /^gap of (\d+)$/;

function outputInto(pipe: NamedPipe, isShared = false): PatientOutput {
  return new PatientOutput({ open: () => pipe.writer, gapLine: (lines) => `gap of ${lines}`, isShared });
}

/** Lines by their numbers, each as long as it is told to be. */
class Numbered {
  #count = 0;

  next(lines: number, length: number): Buffer {
    const texts = Array.from({ length: lines }, () => `${this.#count++} ${"x".repeat(length)}\n`);
    return Buffer.from(texts.join(""));
  }

  get count(): number {
    return this.#count;
  }
}

/** Reads until nothing comes any more. */
async function readToEnd(pipe: NamedPipe, output: PatientOutput): Promise<string> {
  let text = pipe.read();
  const closed = output.close();
  let isClosed = false;
  closed.then(() => (isClosed = true));
  await until("all of it", () => {
    text += pipe.read();
    return isClosed;
  });
  return text + pipe.read();
}

describe("an output that is read late", () => {
  test("gets every line in order, or a line that says how many are missing there", async () => {
    const anyStep = fc.oneof(
      fc.record({ lines: fc.integer({ min: 1, max: 60 }), length: fc.integer({ min: 0, max: 6000 }) }),
      fc.constant("read" as const),
    );
    let gaps = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 60, size: "max" }),
        fc.boolean(),
        async (steps, isShared) => {
          using pipe = new NamedPipe();
          const output = outputInto(pipe, isShared);
          const numbered = new Numbered();
          let text = "";
          for (const step of steps) {
            if (step === "read") text += pipe.read();
            else output.write(numbered.next(step.lines, step.length));
            if (step === "read") await Bun.sleep(0);
          }
          text += await readToEnd(pipe, output);

          let expected = 0;
          const lines = text.split("\n");
          expect(lines.pop()).toBe("");
          for (const line of lines) {
            const gap = GAP.exec(line)?.[1];
            if (gap === undefined) expect(Number(line.split(" ")[0])).toBe(expected++);
            else {
              expected += Number(gap);
              gaps++;
            }
          }
          expect(expected).toBe(numbered.count);
        },
      ),
      { numRuns: 30 },
    );
    expect(gaps).toBeGreaterThan(0);
  });

  test("keeps no more than its bound, and counts what is beyond it", async () => {
    using pipe = new NamedPipe();
    const output = outputInto(pipe);
    const numbered = new Numbered();
    const batch = 50;
    for (let bytes = 0; bytes < 2 * MAX_WAITING_BYTES; bytes += batch * 1000)
      output.write(numbered.next(batch, 1000));
    const kept = numbered.count - output.dropped;
    expect(kept * 1000).toBeLessThan(MAX_WAITING_BYTES + 128 * 1024);
    expect(output.dropped).toBeGreaterThan(0);
    pipe.closeReader();
    await output.close();
  });

  test("is waited for a moment when the program ends, and no longer", async () => {
    using pipe = new NamedPipe();
    const output = outputInto(pipe);
    output.write(Buffer.from("x\n".repeat(100_000)));
    await output.close();
    expect(output.dropped).toBeGreaterThan(0);
    output.write(Buffer.from("after the end\n"));
    expect(pipe.read()).toMatch(/^(?:x\n)+$/);
  });
});

describe("an output whose reader has gone", () => {
  test("throws nothing, keeps nothing, and counts what is lost", async () => {
    using pipe = new NamedPipe();
    const output = outputInto(pipe);
    output.write(Buffer.from("one\n"));
    pipe.closeReader();
    output.write(Buffer.from("two\nthree\n"));
    output.write(Buffer.from("four\n"));
    expect(output.dropped).toBe(3);
    await output.close();
  });
});

describe("an output that refused lines for a while", () => {
  test("gets a line that says how many are missing before the next one", () => {
    using pipe = new NamedPipe();
    const output = outputInto(pipe);
    output.write(Buffer.from("one\n"));
    pipe.closeReader();
    output.write(Buffer.from("two\nthree\n"));
    pipe.reopenReader();
    output.write(Buffer.from("four\n"));
    expect(pipe.read()).toBe("one\ngap of 2\nfour\n");
  });

  test("ends the line that it cut off, and writes the next one whole", async () => {
    using pipe = new NamedPipe();
    const output = outputInto(pipe);
    const numbered = new Numbered();
    const lines = numbered.next(1000, 1000).toString();
    output.write(Buffer.from(lines));
    pipe.closeReader();
    await until("the rest is dropped", () => output.dropped > 0);
    pipe.reopenReader();
    let text = pipe.read();
    output.write(Buffer.from("next\n"));
    text += pipe.read();
    const whole = Array.from(lines.matchAll(/.*\n/g), ([line]) => line);
    const kept = whole.slice(0, whole.length - output.dropped).join("");
    expect(text.startsWith(kept)).toBe(true);
    const [cutOff = "", ...after] = text.slice(kept.length).split("\n");
    expect(whole[whole.length - output.dropped]).toStartWith(cutOff);
    expect([cutOff !== "", after]).toEqual([true, [`gap of ${output.dropped}`, "next", ""]]);
  });
});

test("an output that cannot be opened is one that takes nothing", () => {
  const open = () => {
    throw new Error("EBADF");
  };
  const output = new PatientOutput({ open, gapLine: () => "", isShared: false });
  output.write(Buffer.from("a\nb\n"));
  expect(output.dropped).toBe(2);
});
