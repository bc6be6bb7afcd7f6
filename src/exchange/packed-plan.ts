import type { PlannedBatch } from "../store/store.ts";

/** A planned batch on its way between threads and the disk. As objects, it would be copied piece by piece. */
export type PackedPlan = Uint8Array<ArrayBuffer>;

/** Quick rather than small. */
const COMPRESSION = { level: 1 };

export function packPlan(batch: PlannedBatch): PackedPlan {
  return Bun.zstdCompressSync(JSON.stringify(batch), COMPRESSION) as Buffer<ArrayBuffer>;
}

export function unpackPlan(bytes: PackedPlan): PlannedBatch {
  return JSON.parse(Bun.zstdDecompressSync(bytes).toString());
}
