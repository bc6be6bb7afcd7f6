import { readFileSync } from "node:fs";
import { cpus } from "node:os";

/** What the system says of a processor of Arm's kind: who made it, and which one it is, both as numbers. */
const ARM_PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "0x41": {
    "0xd03": "Arm Cortex-A53",
    "0xd08": "Arm Cortex-A72",
    "0xd0b": "Arm Cortex-A76",
    "0xd0c": "Arm Neoverse N1",
    "0xd40": "Arm Neoverse V1",
    "0xd49": "Arm Neoverse N2",
    "0xd4f": "Arm Neoverse V2",
    "0xd84": "Arm Neoverse V3",
    "0xd8e": "Arm Neoverse N3",
  },
  "0x48": { "0xd01": "HiSilicon TaiShan v110" },
  "0x61": { "0x022": "Apple M1", "0x023": "Apple M1" },
  "0xc0": { "0xac3": "Ampere-1", "0xac4": "Ampere-1A" },
};

/** Virtual machines say of an Intel processor that it is a Xeon, and how fast, but not which one. */
const NAMELESS_XEON = /^Intel\(R\) Xeon\(R\) (?:CPU|Processor) @ ([\d.]+)GHz$/;

/** Of Intel's family 6, by the model's number. One number has three generations, told apart by the stepping. */
const XEONS: Readonly<Record<string, (stepping: number) => string>> = {
  "79": () => "Broadwell",
  "85": (stepping) => (stepping < 5 ? "Skylake" : stepping < 10 ? "Cascade Lake" : "Cooper Lake"),
  "106": () => "Ice Lake",
  "143": () => "Sapphire Rapids",
  "173": () => "Granite Rapids",
  "207": () => "Emerald Rapids",
};

/** The name of a processor: as the system has it, or else by the numbers in its `/proc/cpuinfo`. */
export function processorName(model: string | undefined, cpuinfo: string): string {
  const field = (label: string) => new RegExp(`^${label}\\s*: (\\S+)$`, "m").exec(cpuinfo)?.[1];
  const name = model?.trim().replaceAll(/\s+/g, " ") ?? "";
  const speed = NAMELESS_XEON.exec(name)?.[1];
  const generation = XEONS[field("model") ?? ""]?.(Number(field("stepping")));
  if (speed && generation) return `Intel Xeon ${generation} at ${speed} GHz`;
  if (name !== "" && name !== "unknown") return name;
  const [maker, part] = [field("CPU implementer"), field("CPU part")];
  if (!maker || !part) return "a processor without a name";
  return ARM_PARTS[maker]?.[part] ?? `implementer ${maker}, part ${part}`;
}

function ownCpuinfo(): string {
  try {
    return readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    return "";
  }
}

/** What this machine has. */
export const PROCESSOR = processorName(cpus()[0]?.model, ownCpuinfo());

/** What results of this kind of processor stand under. */
export const PROCESSOR_HEADING = `${PROCESSOR} (${process.arch})`;
