/** Whether this is the one file that the program was built into, and no checkout. */
export function isBuilt(): boolean {
  return Bun.embeddedFiles.length > 0 || Bun.main.includes("$bunfs");
}

/** The command that starts this program once more: from its source, or as the one file. */
export function ownCommand(): string[] {
  return isBuilt() ? [process.execPath] : [process.execPath, Bun.main];
}
