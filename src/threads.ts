/**
 * The files that threads begin with. They are named from here, the root of the source, because a built executable
 * keeps them by their path from it.
 */
export const THREADS = {
  backup: new URL("./store/sqlite/backup-worker.ts", import.meta.url),
  compile: new URL("./serving/compile-worker.ts", import.meta.url),
  count: new URL("./serving/count-worker.ts", import.meta.url),
  file: new URL("./studio/file-worker.ts", import.meta.url),
  import: new URL("./exchange/import-worker.ts", import.meta.url),
} as const;
