/** Runs a command to its end, and returns what it printed. */
export function run(command: readonly string[], options: { cwd?: string } = {}): string {
  const { success, stdout, stderr } = Bun.spawnSync([...command], { ...options, stdin: "ignore" });
  if (!success) throw new Error(`${command.join(" ")} failed: ${stderr}`);
  return stdout.toString();
}
