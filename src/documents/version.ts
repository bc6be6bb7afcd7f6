/**
 * The version of the compiler: raised with every change of what a record compiles to, so that a database can tell
 * which of its documents an older one has made.
 */
export const COMPILER_VERSION = 2;

/** The same for what is made when it is first asked for. What another version has made is made anew, one by one. */
export const RENDITION_VERSION = 2;
