interface Process {
  readonly pid: number;
  readonly parent: number;
}

/** Those that run. One that has ended counts no more, though nobody may have asked yet how. */
async function processes(): Promise<Process[]> {
  const listing = await new Response(Bun.spawn(["ps", "-A", "-o", "pid=,ppid=,stat="]).stdout).text();
  return listing
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith("Z"))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

export async function childrenOf(parent: number): Promise<number[]> {
  return (await processes()).filter((it) => it.parent === parent).map(({ pid }) => pid);
}

/** Which of these still run. */
export async function running(pids: readonly number[]): Promise<number[]> {
  return (await processes()).map(({ pid }) => pid).filter((pid) => pids.includes(pid));
}
