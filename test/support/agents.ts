import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as OlderAnyTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { RouteName } from "../../src/contract/routes.ts";
import { type Program, VITRINE } from "./program.ts";
import { bearer } from "./server.ts";

const SELF = { name: "test", version: "1" };

/** What a tool is said to be, and what it answered. */
interface ListedTool {
  readonly name: string;
  readonly annotations?: object | undefined;
  readonly outputSchema?: object | undefined;
}

interface ToolAnswer {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly text: string;
}

/** An agent's end of a connection, by either of the official clients. */
export class Agent implements AsyncDisposable {
  readonly #client: Client | OlderClient;
  readonly protocol: string | undefined;

  private constructor(client: Client | OlderClient, protocol: string | undefined) {
    this.#client = client;
    this.protocol = protocol;
  }

  static async #over(transport: Transport, mode: "auto" | "legacy"): Promise<Agent> {
    const client = new Client(SELF, { versionNegotiation: { mode } });
    await client.connect(transport);
    return new Agent(client, client.getNegotiatedProtocolVersion());
  }

  /** Today's client, which also speaks the protocol of before. */
  static today(url: string, key: string, mode: "auto" | "legacy" = "auto"): Promise<Agent> {
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: bearer(key) },
    });
    return Agent.#over(transport, mode);
  }

  /** The client of the generation before. */
  static async before(url: string, key: string): Promise<Agent> {
    const client = new OlderClient(SELF);
    const transport = new OlderTransport(new URL(`${url}/mcp`), { requestInit: { headers: bearer(key) } });
    await client.connect(transport as OlderAnyTransport);
    return new Agent(client, transport.protocolVersion);
  }

  /** One that starts the program itself. */
  static starting(program: Program, args: readonly string[], env: Record<string, string> = {}) {
    const [command = "", ...first] = VITRINE;
    const cwd = program.folder.path;
    return Agent.#over(
      new StdioClientTransport({
        command,
        args: [...first, ...args],
        cwd,
        env: { ...program.environment, ...env },
      }),
      "auto",
    );
  }

  async tools(): Promise<readonly ListedTool[]> {
    return (await this.#client.listTools()).tools;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const answer = (await this.#client.callTool({ name, arguments: args })) as {
      isError?: boolean;
      structuredContent?: unknown;
      content: { text: string }[];
    };
    return { ...answer, text: answer.content.map(({ text }) => text).join() };
  }

  async resources(): Promise<string[]> {
    return (await this.#client.listResources()).resources.map(({ uri }) => uri);
  }

  async resource(uri: string): Promise<string> {
    const { contents } = await this.#client.readResource({ uri });
    return contents.map((content) => ("text" in content ? content.text : "")).join();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.close();
  }
}

/** What each tool asks of the API, and the name of the list where the answer is one. */
export const ASKED: Readonly<Record<string, { readonly route: RouteName; readonly list?: string }>> = {
  get_profile: { route: "full" },
  get_links: { route: "links" },
  list_link_trees: { route: "linktrees", list: "linkTrees" },
  get_link_tree: { route: "linktree" },
  list_jobs: { route: "jobs", list: "jobs" },
  list_projects: { route: "projects", list: "projects" },
  list_education: { route: "education", list: "education" },
  get_resume: { route: "resume" },
};
