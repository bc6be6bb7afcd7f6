import { constants, fstatSync, openSync } from "node:fs";

const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;

/**
 * Standard output as a descriptor that fails where it would make a writer wait. Opened anew, a pipe or a terminal has
 * that as a property of its own, and a process that shares the old one notices nothing. What cannot be opened anew (the socket
 * that systemd gives, the pipe of a container whose user is another, anything without /proc) is changed itself: Bun does
 * that when it makes a writer of it. A terminal is left as it is then, since the shell reads from the same.
 */
export function openStandardOutput(): number {
  const stats = fstatSync(1);
  if (stats.isFile()) return 1;
  try {
    return openSync("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    if (stats.isFIFO() || stats.isSocket()) Bun.file(1).writer();
    return 1;
  }
}
