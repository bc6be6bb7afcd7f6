/** A system that an executable is made for. */
export interface Target {
  /** In the names of files. */
  readonly name: string;
  /** What Bun calls it. */
  readonly bun: string;
  /** The npm package that has Bun's runtime for it. */
  readonly runtime: string;
}

export const TARGETS: readonly Target[] = [
  { name: "linux-x64", bun: "bun-linux-x64", runtime: "@oven/bun-linux-x64" },
  { name: "linux-arm64", bun: "bun-linux-arm64", runtime: "@oven/bun-linux-aarch64" },
  { name: "linux-x64-musl", bun: "bun-linux-x64-musl", runtime: "@oven/bun-linux-x64-musl" },
  { name: "linux-arm64-musl", bun: "bun-linux-arm64-musl", runtime: "@oven/bun-linux-aarch64-musl" },
  { name: "macos-arm64", bun: "bun-darwin-arm64", runtime: "@oven/bun-darwin-aarch64" },
  { name: "macos-x64", bun: "bun-darwin-x64", runtime: "@oven/bun-darwin-x64" },
  { name: "windows-x64", bun: "bun-windows-x64", runtime: "@oven/bun-windows-x64" },
];

export function isWindows({ name }: Target): boolean {
  return name.startsWith("windows");
}
