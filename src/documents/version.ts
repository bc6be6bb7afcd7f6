/**
 * The version of the compiler: raised with every change of what a record compiles to, so that a database can tell
 * which of its documents an older one has made.
 */
export const COMPILER_VERSION = 1;
