import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { agentServer } from "./server.ts";
import type { AgentSource } from "./source.ts";

/** Answers the program that started this one, over standard input and output, until either is closed. */
export async function serveAgent(source: AgentSource): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const transport = new StdioServerTransport();
  serveStdio(() => agentServer(source), { transport, maxSubscriptions: 0 });
  // The transport stops reading when nobody takes its answers, and would never see that its input ends as well.
  const close = transport.onclose;
  transport.onclose = () => {
    close?.();
    resolve();
  };
  await ended;
}
