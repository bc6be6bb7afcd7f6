import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { agentServer } from "./server.ts";
import type { AgentSource } from "./source.ts";

/** Answers the program that started this one, over standard input and output, until it closes them. */
export async function serveAgent(source: AgentSource): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  process.stdin.once("end", resolve).once("close", resolve);
  const handle = serveStdio(() => agentServer(source), { maxSubscriptions: 0 });
  await ended;
  await handle.close();
}
