import type { KeyPath } from "../contract/access.ts";
import type { KeyInfo } from "./store.ts";

/** A key as it is stored: the paths that it is confined to are one text, joined by commas. */
export type KeyInfoRow = Omit<KeyInfo, "paths"> & { readonly paths: string | null };

export function pathsText(paths: readonly KeyPath[] | null | undefined): string | null {
  return paths?.join() ?? null;
}

export function keyInfoOf(row: KeyInfoRow): KeyInfo {
  return { ...row, paths: row.paths === null ? null : (row.paths.split(",") as KeyPath[]) };
}
