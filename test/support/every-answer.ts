import { ROUTES } from "../../src/contract/routes.ts";
import { mintKey } from "../../src/keys/key.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { writtenRecord } from "./records.ts";
import { bearer, startTestServer, type TestServer } from "./server.ts";
import { watching } from "./watched-reader.ts";

/** An answer with the request that led to it, both ends of which a test may look into. */
export interface Answer {
  /** Such as `GET /user/full: 200`. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface EveryAnswer {
  readonly server: TestServer;
  readonly answers: readonly Answer[];
  /** Every key that was sent, good or bad. */
  readonly keys: readonly string[];
}

export const QUERY_STRING = "token=query-secret&email=query@example.com";

/** What a fault says that is for the log alone. */
export const FAULT = "unable to open database file /srv/vitrine/private/vitrine.db";

const LIMIT = 4;

/** The first person asks for everything in every way, until each route has given each answer that it has. */
export async function provokeEveryAnswer(): Promise<EveryAnswer> {
  const watched = watching();
  const server = await startTestServer({
    wrapReader: watched.wrapReader,
    limits: { full: LIMIT, default: LIMIT },
    corsOrigins: ["https://ada.example"],
  });
  const { reader } = watched;
  const good = await server.key();
  const revoked = await server.key();
  await server.store.keys.revoke(revoked.id);
  const expired = await server.key({ expiresAt: server.clock.now() });
  const confined = await server.key({ paths: [], expiresAt: server.clock.now() + 1000 });
  const never = mintKey();
  const mistyped = `${never.slice(0, -1)}${never.at(-1) === "a" ? "b" : "a"}`;

  const answers: Answer[] = [];
  const ask = async (path: string, headers: Record<string, string>, method = "GET") => {
    const response = await server.get(
      `${path}?${QUERY_STRING}`,
      { ...headers, Origin: "https://ada.example" },
      method,
    );
    const { status } = response;
    answers.push({
      title: `${method} ${path}: ${status}`,
      method,
      path,
      status,
      headers: response.headers,
      body: await response.text(),
    });
  };

  for (const { path: template, document } of ROUTES) {
    const path = template.replace(":slug", "everything-1");
    const authorization = bearer(good.key);
    await ask(path, {});
    await ask(path, { ...authorization, Host: "two words" });
    for (const key of [revoked.key, expired.key, never, mistyped]) await ask(path, bearer(key));
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      await ask(path, authorization, method);
    for (const error of [new TypeError(FAULT), new StoreUnavailable(FAULT, { cause: new Error(FAULT) })]) {
      reader.failure = { error, when: "at once" };
      await ask(path, authorization);
    }
    reader.failure = undefined;
    await ask(path, bearer(confined.key));
    await ask(path, authorization);
    await ask(path, authorization, "HEAD");
    await ask(path, { ...authorization, "If-None-Match": "*" });
    await ask(document === "linktree" ? "/user/linktrees/everything-2" : path, authorization);
    await ask(path, authorization);
  }
  for (const path of ["/healthz", "/readyz", "/nowhere", "/user/linktrees/%ff"])
    await ask(path, bearer(good.key));
  for (const path of ["/healthz", "/readyz"]) {
    await ask(path, { Host: "two words" });
    await ask(path, {}, "POST");
  }
  for (const error of [new TypeError(FAULT), new StoreUnavailable(FAULT, { cause: new Error(FAULT) })]) {
    reader.failure = { error, when: "at once" };
    await ask("/readyz", {});
  }

  return { server, answers, keys: [good.key, confined.key, revoked.key, expired.key, never, mistyped] };
}

/** All that belongs to the second person, whom the first must never hear of. */
export async function secretsOfAnother(server: TestServer): Promise<string[]> {
  const record = await server.store.records.find(writtenRecord(2).email);
  if (!record) throw new Error("there is no second person");
  return [
    record.email,
    record.id,
    record.profile.slug,
    ...record.jobs.map((job) => job.id),
    ...record.linkTrees.flatMap((tree) => [tree.id, ...tree.links.map((link) => link.id)]),
  ];
}
