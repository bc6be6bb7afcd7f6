import {
  LIMIT_WINDOW_SECONDS,
  MCP_ROUTE,
  OPENAPI_30_PATH,
  OPENAPI_PATH,
  REFERENCE_PATH,
  ROUTES,
} from "../../contract/routes.ts";
import type { Parts } from "../parts.ts";

/** What the API is, in plain text. Addresses are whole where the server knows its own. */
export function llmsText({ publicUrl, limits }: Pick<Parts, "publicUrl" | "limits">): string {
  const at = (path: string) => `[${path}](${publicUrl}${path})`;
  const reads = ROUTES.map(
    ({ path, summary, limit }) =>
      `- ${path.includes(":") ? path : at(path)}: ${summary} At most ${limits[limit]} requests in any ${LIMIT_WINDOW_SECONDS} seconds.`,
  );
  return `# Vitrine

> Your own profile and link trees back as data: a read-only JSON API behind a personal key.

Every request of the API carries the header \`Authorization: Bearer <key>\`. The key says whose data is meant, and its owner has it from the operator of this server. There is nothing to sign in to, and no OAuth. A value with \`isPublic\` false is private: it is for its owner, and not to be published.

Every error is \`{"statusCode", "message", "error"}\`. With 429 and 503, \`Retry-After\` says how many seconds to wait. Send the \`ETag\` of an answer back as \`If-None-Match\`, and you get a 304 while nothing has changed.

## Read with GET

${reads.join("\n")}

## For agents

- ${at(MCP_ROUTE.path)}: the same reads over the Model Context Protocol (Streamable HTTP, POST), with the same header. At most ${limits[MCP_ROUTE.limit]} requests in any ${LIMIT_WINDOW_SECONDS} seconds.

## Described in full

- ${at(OPENAPI_PATH)}: OpenAPI 3.1
- ${at(OPENAPI_30_PATH)}: OpenAPI 3.0
- ${at(REFERENCE_PATH)}: for people
`;
}
