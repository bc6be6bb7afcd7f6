import { vitrine } from "../../../client/src/index.ts";
import type { AgentSource } from "../../agents/source.ts";
import { isView, VIEWS, type View } from "../../contract/access.ts";
import { ApiError } from "../../contract/errors.ts";
import type { RouteName } from "../../contract/routes.ts";
import { answerText } from "../../documents/answer.ts";
import type { Elsewhere } from "../../settings.ts";
import type { DatabaseLocation } from "../../store/location.ts";
import { type DatabaseOption, existingUser, withReadOnlyStore } from "../database.ts";
import { Misuse, noSuchUser } from "../failure.ts";

/** Answers an agent about a user of this machine's database, or about the owner of a key for a server elsewhere. */
export async function mcp(
  email: string | undefined,
  { database, view, url, key }: DatabaseOption & Elsewhere & { readonly view?: string },
): Promise<void> {
  if (view !== undefined && !isView(view))
    throw new Misuse(`--view must be ${VIEWS.join(" or ")}`, "vitrine mcp --help");
  // Whoever can open the database can read all of it, so that nothing is gained by showing less unasked.
  if (email !== undefined) return serveFromDatabase(email, view ?? "full", database);
  if (view !== undefined)
    throw new Misuse(
      "--view is for a user of the database: a key for a server elsewhere has its own view",
      "vitrine mcp ada@example.com --view public",
    );
  if (url === undefined || key === undefined) {
    const missing = url === undefined ? "VITRINE_URL" : "VITRINE_KEY";
    throw new Misuse(
      `name a user by e-mail address, or a server by VITRINE_URL and VITRINE_KEY (${missing} is not set)`,
      "vitrine mcp ada@example.com",
    );
  }
  await serve(sourceElsewhere(url, key));
}

async function serveFromDatabase(email: string, view: View, database: DatabaseLocation): Promise<void> {
  await withReadOnlyStore(database, async (store) => {
    await existingUser(store, email);
    await serve({
      async read(route, slug) {
        const record = await store.records.find(email);
        if (!record) throw noSuchUser(email);
        const text = answerText(record, view, route, slug);
        if (text === undefined) throw new ApiError("tree_not_found");
        return text;
      },
    });
  });
}

/** The protocol is loaded last, so that what is wrong with the arguments is said at once. */
async function serve(source: AgentSource): Promise<void> {
  const { serveAgent } = await import("../../agents/over-stdio.ts");
  await serveAgent(source);
}

function sourceElsewhere(url: string, key: string): AgentSource {
  const me = client(url, key);
  const reads: Readonly<Record<RouteName, (slug: string) => Promise<unknown>>> = {
    full: () => me.full(),
    linktrees: () => me.linkTrees(),
    linktree: (slug) => me.linkTree(slug),
    links: () => me.links(),
    jobs: () => me.jobs(),
    projects: () => me.projects(),
    education: () => me.education(),
    resume: () => me.resume(),
  };
  return { read: async (route, slug = "") => JSON.stringify(await reads[route](slug)) };
}

function client(url: string, key: string) {
  try {
    // An agent is told at once that it has asked too often, and can say so.
    return vitrine({ url, key, retryBudget: 0 });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // What else a program could set is not there for a command, and what it passes has the name of a variable.
    const [reason = ""] = error.message
      .replace(/^(?:url|key)\b/, (name) => `VITRINE_${name.toUpperCase()}`)
      .split(", or set ");
    throw new Misuse(reason, "VITRINE_URL=https://links.example VITRINE_KEY=vit_... vitrine mcp");
  }
}
