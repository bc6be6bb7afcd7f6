import { COMPILER_VERSION } from "../../documents/version.ts";

/** Which compiler makes the documents, and the last user it has made them for: null is all of them. */
export interface Compilation {
  readonly compiler: number;
  readonly through: number | null;
}

/** Documents that a newer compiler has made are left alone. */
export function isOutdated(compilation: Compilation): boolean {
  return compiledThrough(compilation) !== null;
}

/** The last user whose documents are this compiler's, or null where all are. A newer one's are left alone. */
export function compiledThrough({ compiler, through }: Compilation): number | null {
  if (compiler < COMPILER_VERSION) return 0;
  return compiler === COMPILER_VERSION ? through : null;
}
