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

/** The name of a processor: as the system has it, or else by the numbers in its `/proc/cpuinfo`. */
export function processorName(model: string | undefined, cpuinfo: string): string {
  const name = model?.trim().replaceAll(/\s+/g, " ") ?? "";
  if (name !== "" && name !== "unknown") return name;
  const field = (label: string) => new RegExp(`^${label}\\s*: (\\S+)$`, "m").exec(cpuinfo)?.[1];
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
