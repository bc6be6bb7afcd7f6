import { describe, expect, test } from "bun:test";
import { PROCESSOR_HEADING, processorName } from "../../bench/processor.ts";

const cpuinfo = (maker: string, part: string) =>
  `processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: ${maker}\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: ${part}\nCPU revision\t: 1\n`;

describe("the name of a processor", () => {
  test("is what the system says", () => {
    expect(processorName("  AMD EPYC  7763 ", "")).toBe("AMD EPYC 7763");
  });

  test.each([
    ["unknown", "0x41", "0xd0c", "Arm Neoverse N1"],
    ["", "0x41", "0xd4f", "Arm Neoverse V2"],
    [undefined, "0xc0", "0xac3", "Ampere-1"],
    ["unknown", "0x41", "0xfff", "implementer 0x41, part 0xfff"],
    ["unknown", "0x99", "0xd0c", "implementer 0x99, part 0xd0c"],
  ])("where that is %j, is found by its numbers: %s %s is %s", (model, maker, part, name) => {
    expect(processorName(model, cpuinfo(maker, part))).toBe(name);
  });

  test("is none where nothing is said", () => {
    expect(processorName("unknown", "")).toBe("a processor without a name");
  });

  test("of this machine stands beside its kind", () => {
    expect(PROCESSOR_HEADING).toEndWith(`(${process.arch})`);
    expect(PROCESSOR_HEADING).not.toContain("unknown");
  });
});
