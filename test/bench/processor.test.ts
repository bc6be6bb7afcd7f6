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

  test.each([
    ["85", "4", "Intel Xeon Skylake at 2.50 GHz"],
    ["85", "7", "Intel Xeon Cascade Lake at 2.50 GHz"],
    ["143", "8", "Intel Xeon Sapphire Rapids at 2.50 GHz"],
    ["1", "1", "Intel(R) Xeon(R) Processor @ 2.50GHz"],
  ])(
    "says the generation of a Xeon whose name a virtual machine hides: model %s, stepping %s is %s",
    (number, stepping, name) => {
      const numbers = `vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: ${number}\nmodel name\t: x\nstepping\t: ${stepping}\n`;
      expect(processorName("Intel(R) Xeon(R) Processor @ 2.50GHz", numbers)).toBe(name);
      expect(processorName("Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", numbers)).toContain("Gold 6248");
    },
  );

  test("is none where nothing is said", () => {
    expect(processorName("unknown", "")).toBe("a processor without a name");
  });

  test("of this machine stands beside its kind", () => {
    expect(PROCESSOR_HEADING).toEndWith(`(${process.arch})`);
    expect(PROCESSOR_HEADING).not.toContain("unknown");
  });
});
