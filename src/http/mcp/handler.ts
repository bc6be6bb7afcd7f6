import { once } from "../../async/once.ts";
import { inTurnOf } from "../../async/turn.ts";
import { ApiError } from "../../contract/errors.ts";
import { HEADER } from "../../contract/headers.ts";
import { MCP_ROUTE } from "../../contract/routes.ts";
import { LimitedResponses } from "../api/responses.ts";
import type { Handler, Work } from "../exchange.ts";
import { exchangeHandler } from "../exchange-handler.ts";
import type { Serving } from "../parts.ts";
import { mayRead } from "../steps/authorization.ts";
import type { Accepted } from "../steps/cors.ts";
import { KeyedSource } from "./keyed-source.ts";

const ACCEPTED: Accepted = {
  methods: "POST",
  headers: [
    HEADER.authorization,
    HEADER.contentType,
    HEADER.mcpProtocolVersion,
    HEADER.mcpMethod,
    HEADER.mcpName,
    HEADER.requestId,
  ],
};

/** What speaks the protocol is not loaded before an agent asks: a server without agents starts and weighs as before. */
const loadAgents = once(() => import("../../agents/over-http.ts"));

/** The same reads for agents, over the Model Context Protocol. The key is checked before the body is looked at. */
export function mcpHandler(serving: Serving): Handler {
  const { limiter, cors, publicUrl } = serving;
  const limit = serving.limits[MCP_ROUTE.limit];
  const responses = new LimitedResponses(MCP_ROUTE, limit);

  const answer: Work = async (request, exchange) => {
    const origin = request.headers.get(HEADER.origin);
    // A page of another site may have been led here by a name of its own for this machine (DNS rebinding).
    if (origin !== null && origin !== publicUrl && !cors.lists(origin)) throw new ApiError("foreign_origin");
    const source = new KeyedSource(request, serving, exchange);
    const found = await source.admit();
    const isAllowed = mayRead(MCP_ROUTE.keyPath, found);
    // A request that is turned away for its key is told where its user stands, and is not counted.
    const standing = await limiter[isAllowed ? "take" : "look"](found.userNumber, MCP_ROUTE.name, limit);
    exchange.standing = standing;
    if (!isAllowed) throw new ApiError("key_not_allowed");
    if (!standing.allowed) throw new ApiError("rate_limited", { retryAfter: standing.resetSeconds });
    const { answerAgent } = await loadAgents();
    // A long answer takes a moment to make: many of one user's at once would hold up everybody else.
    const { made, body } = await inTurnOf(found.userId, async () => {
      const made = await answerAgent(request, source);
      // All of it is there at once: nobody may wait for more.
      return { made, body: (await made.bytes()) as Uint8Array<ArrayBuffer> };
    });
    serving.giveTimeToRead(request, body.length);
    return responses.other(made, body, standing, exchange.id);
  };

  return exchangeHandler<string>(MCP_ROUTE.path, serving, answer, {
    refuse: responses.refuse,
    accepted: ACCEPTED,
  });
}
