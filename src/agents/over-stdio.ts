import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { nextTurn } from "../async/turn.ts";
import { agentServer } from "./server.ts";
import type { AgentSource } from "./source.ts";

/** Answers the program that started this one, over standard input and output, until either is closed. */
export async function serveAgent(source: AgentSource): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const transport = new PatientTransport();
  const awaited: AgentSource = { read: (...asked) => transport.during(source.read(...asked)) };
  serveStdio(() => agentServer(awaited), { transport, maxSubscriptions: 0 });
  // The transport stops reading when nobody takes its answers, and would never see that its input ends as well.
  const close = transport.onclose;
  transport.onclose = () => {
    close?.();
    resolve();
  };
  await ended;
}

/** Closes when what is being read has been answered: who pipes questions in ends the input right behind them. */
class PatientTransport extends StdioServerTransport {
  readonly #reads = new Set<Promise<string>>();

  async during(read: Promise<string>): Promise<string> {
    this.#reads.add(read);
    try {
      return await read;
    } finally {
      this.#reads.delete(read);
    }
  }

  override async close(): Promise<void> {
    while (this.#reads.size > 0) {
      await Promise.allSettled(this.#reads);
      // An answer is sent in the turn in which its read has ended.
      await nextTurn();
    }
    await super.close();
  }
}
