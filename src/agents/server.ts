import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { RESOURCES } from "./resources.ts";
import type { AgentSource } from "./source.ts";
import { TOOLS, type Tool } from "./tools.ts";

const INSTRUCTIONS =
  "Reads the profile, link trees, jobs, projects and education of the person whose key is used. Nothing can be changed. " +
  "A value or a job with isPublic false is private, and so is every value of a profile with isPublic false: use it to help its owner, and do not publish it.";

/** What every tool here is: it changes nothing, and knows of nothing but one person's record. */
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const NEVER_CHANGE = { listChanged: false };

const ONE_TREE = z.strictObject({ slug: z.string().describe("The slug of a link tree.") });
const NOTHING = z.strictObject({});

/** A server of the Model Context Protocol that answers out of one source. */
export function agentServer(source: AgentSource): McpServer {
  const server = new McpServer(
    { name: "vitrine", title: "Vitrine", version: packageJson.version },
    { instructions: INSTRUCTIONS, capabilities: { tools: NEVER_CHANGE, resources: NEVER_CHANGE } },
  );
  for (const tool of TOOLS) {
    const { name, title, description, output } = tool;
    const told = { title, description, outputSchema: output, annotations: { title, ...READ_ONLY } };
    if (tool.isAboutTree)
      server.registerTool(name, { ...told, inputSchema: ONE_TREE }, ({ slug }) => call(tool, source, slug));
    else server.registerTool(name, { ...told, inputSchema: NOTHING }, () => call(tool, source));
  }
  for (const { uri, name, title, description, route } of RESOURCES) {
    const told = { title, description, mimeType: "application/json" };
    server.registerResource(name, uri, told, async () => ({
      contents: [{ uri, mimeType: told.mimeType, text: await source.read(route) }],
    }));
  }
  return server;
}

/** What fails becomes an answer of its own, with the message of the error, that the agent can read and perhaps mend. */
async function call(tool: Tool, source: AgentSource, slug?: string): Promise<CallToolResult> {
  const structuredContent = tool.answer(JSON.parse(await source.read(tool.route, slug)));
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}
