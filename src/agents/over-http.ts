import { createMcpHandler } from "@modelcontextprotocol/server";
import { agentServer } from "./server.ts";
import type { AgentSource } from "./source.ts";

/** A question takes a few hundred bytes, and what a client says of itself some thousands. */
const LONGEST_BODY = 64 * 1024;

/** What JSON-RPC 2.0, section 5.1, calls what cannot be read, and what is no request. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/**
 * Answers one request of an agent, of the protocol of today or of the one before. Nothing is kept between requests, and
 * nobody may wait for changes: a stream would hold a connection for as long as its reader likes.
 */
export async function answerAgent(request: Request, source: AgentSource): Promise<Response> {
  const text = await boundedText(request);
  if (text === undefined) return refusal(413, INVALID_REQUEST, `a body has at most ${LONGEST_BODY} bytes`);
  const message = parsed(text);
  if (message === undefined) return refusal(400, PARSE_ERROR, "the body is no JSON");
  // The limit counts requests, so that a batch would be a way around it. Today's protocol has none.
  if (Array.isArray(message))
    return refusal(400, INVALID_REQUEST, "one message a request: batches are not taken");
  const handler = createMcpHandler(() => agentServer(source), { maxSubscriptions: 0 });
  return handler.fetch(request, { parsedBody: message });
}

/** Undefined where the body is too long, the rest of which is not read, and nothing where it was cut off. */
async function boundedText(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > LONGEST_BODY) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // The agent is gone, which is no fault of the server's.
    return "";
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}
