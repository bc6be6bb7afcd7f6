import compress from "@fastify/compress";
import rateLimit from "@fastify/rate-limit";
import Fastify from "fastify";
import { authenticate } from "./authenticate.js";
import { openDatabase } from "./database.js";
import { presentProfile } from "./profile.js";
import { prepareQueries } from "./queries.js";
import { fullResponse, linkTreesResponse } from "./responses.js";

const { PORT = "3000", LIMIT_FULL = "30", LIMIT_DEFAULT = "60" } = process.env;
const [file = "fastify.db"] = process.argv.slice(2);
const queries = prepareQueries(openDatabase(file));

const app = Fastify({ logger: true });
app.decorateRequest("userId", "");
app.addHook("onRequest", authenticate(queries));
await app.register(compress);
await app.register(rateLimit, {
  hook: "preHandler",
  max: Number(LIMIT_DEFAULT),
  timeWindow: "1 minute",
  keyGenerator: (request) => request.userId,
  // It forgets callers beyond this number, and would then let them exceed their limit.
  cache: 100_000,
});

app.get(
  "/user/full",
  { config: { rateLimit: { max: Number(LIMIT_FULL) } }, schema: { response: { 200: fullResponse } } },
  async (request, reply) => {
    const user = queries.full.get({ userId: request.userId });
    if (!user?.profile) return reply.callNotFound();
    return { ...user, profile: presentProfile(user.profile) };
  },
);

app.get("/user/linktrees", { schema: { response: { 200: linkTreesResponse } } }, async (request) =>
  queries.linkTrees.all({ userId: request.userId }),
);

await app.listen({ host: "127.0.0.1", port: Number(PORT) });
