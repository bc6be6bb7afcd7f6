import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Queries } from "./queries.js";

declare module "fastify" {
  interface FastifyRequest {
    userId: string;
  }
}

/** Finds out whose key it is, by its hash. */
export function authenticate(queries: Queries) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const found = key && queries.key.get({ hash: createHash("sha256").update(key).digest("hex") });
    const now = new Date();
    if (!found || found.revokedAt || (found.expiresAt && found.expiresAt <= now)) {
      return reply.code(401).send({ statusCode: 401, message: "Unauthorized", error: "Unauthorized" });
    }
    request.userId = found.userId;
  };
}
