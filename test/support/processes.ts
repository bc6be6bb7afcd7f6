/** The processes that another one has started and that still run. */
export async function childrenOf(pid: number): Promise<number[]> {
  const listing = await new Response(Bun.spawn(["ps", "-A", "-o", "pid=,ppid=,stat="]).stdout).text();
  return listing
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith("Z"))
    .map(([child]) => Number(child));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
