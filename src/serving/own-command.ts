/** The command that starts this program once more: from its source, or as the one file that it was built into. */
export function ownCommand(): string[] {
  const isBuilt = Bun.embeddedFiles.length > 0 || Bun.main.includes("$bunfs");
  return isBuilt ? [process.execPath] : [process.execPath, Bun.main];
}
