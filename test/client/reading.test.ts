import { describe, expect, expectTypeOf, test } from "bun:test";
import fc from "fast-check";
import {
  type FullUser,
  type PublicLinkTree,
  type PublicUser,
  VitrineError,
  vitrine,
} from "../../client/src/index.ts";
import { answersOf } from "../support/answers.ts";
import { startNeighbour } from "../support/neighbour.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";
import { anySlug } from "../support/slugs.ts";

describe("the client", () => {
  test("reads what the server has of the key's user", async () => {
    await using server = await startTestServer();
    const me = vitrine({ url: server.url, key: (await server.key()).key });
    const { byKind, bySlug } = answersOf(await server.record());
    expect<unknown>(await me.full()).toEqual(byKind.full.json);
    expect<unknown>(await me.linkTrees()).toEqual(byKind.linktrees.json);
    expect<unknown>(await me.linkTree("empty-1")).toEqual(bySlug.get("empty-1")?.json);
    expect<unknown>(await me.links()).toEqual(byKind.links.json);
    expect<unknown>(await me.jobs()).toEqual(byKind.jobs.json);
    expect<unknown>(await me.projects()).toEqual(byKind.projects.json);
    expect<unknown>(await me.education()).toEqual(byKind.education.json);
    expect<unknown>(await me.resume()).toEqual(byKind.resume.json);
  });

  test("finds link trees by slugs of all kinds", async () => {
    const slugs = [...new Set(fc.sample(anySlug, 200))];
    const linkTrees = slugs.map((slug) => ({ title: "A tree", slug, links: [] }));
    await using server = await startTestServer({
      records: [{ ...writtenRecord(), linkTrees }],
      limits: { full: 1, default: slugs.length },
    });
    const me = vitrine({ url: server.url, key: (await server.key()).key });
    for (const slug of slugs) expect((await me.linkTree(slug)).slug).toBe(slug);
  });

  test.each(["", ".", "..", "\ud800", "a/../b", "nowhere", "?", "%"])(
    "says of the slug %p that there is no such tree, and never returns something else",
    async (slug) => {
      await using server = await startTestServer();
      const me = vitrine({ url: server.url, key: (await server.key()).key });
      const error = await me.linkTree(slug).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(VitrineError);
      expect(error).toMatchObject({ statusCode: 404, message: "Link tree not found", error: "Not Found" });
    },
  );

  test.each(["", "/", "//"])("takes an address that ends in %p", async (end) => {
    await using server = await startTestServer();
    const me = vitrine({ url: server.url + end, key: (await server.key()).key });
    expect(await me.linkTrees()).toHaveLength(2);
  });

  test("keeps the path of an address, and drops its query", async () => {
    await using near = startNeighbour(() => Response.json([]));
    await vitrine({ url: new URL(`${near.url}/people/?a=b#c`), key: "key" }).jobs();
    expect(near.asked.map(({ url }) => url)).toEqual([`${near.url}/people/user/jobs`]);
  });

  test("sends the key in one header and in nothing else", async () => {
    await using near = startNeighbour(() => Response.json([]));
    await vitrine({ url: near.url, key: "secret\n" }).jobs();
    const { authorization, ...others } = near.asked[0]?.headers ?? {};
    expect(authorization).toBe("Bearer secret");
    expect(JSON.stringify([near.asked[0]?.url, others])).not.toContain("secret");
  });

  test("uses the fetch that it is given", async () => {
    const asked: string[] = [];
    const me = vitrine({
      url: "https://vitrine.example",
      key: "key",
      fetch: async (url) => {
        asked.push(url);
        return Response.json([]);
      },
    });
    const trees: PublicLinkTree[] = await me.linkTrees();
    expect(trees).toEqual([]);
    expect(asked).toEqual(["https://vitrine.example/user/linktrees"]);
  });

  test("shows no key where it is printed", async () => {
    expect(Bun.inspect(vitrine({ url: "https://vitrine.example", key: "secret" }))).not.toContain("secret");
  });
});

describe("an option that cannot be used is refused at once:", () => {
  const refused: [string, Record<string, unknown>, string][] = [
    ["an address that is none", { url: "vitrine.example" }, "address of a Vitrine server"],
    ["another scheme", { url: "ftp://vitrine.example" }, "address of a Vitrine server"],
    ["a password in the address", { url: "https://a:b@vitrine.example" }, "password"],
    ["a password without a name in the address", { url: "https://:pw@vitrine.example" }, "password"],
    ["http to another machine", { url: "http://vitrine.example" }, "use https"],
    ["http to one that begins like the loopback", { url: "http://127.evil.example" }, "use https"],
    ["http to one that is called like the loopback", { url: "http://127.0.0.1.evil.example" }, "use https"],
    ["http to one that is called like this one", { url: "http://localhost.example" }, "use https"],
    ["no address", { url: undefined }, "url is missing"],
    ["an empty address", { url: "" }, "url is missing"],
    ["no key", { key: undefined }, "key is missing"],
    ["an empty key", { key: " " }, "key is missing"],
    ["a key that no header can hold", { key: "secret\nkey" }, "characters that no key has"],
    ["a key that is not ASCII", { key: "secret…" }, "characters that no key has"],
    ["a key that sees more than was said", { key: "vit_secret", view: "public" }, "begins with vitp_"],
    ["a view that there is not", { key: "vit_secret", view: "Public" }, "view must be"],
    ["no time at all", { timeout: 0 }, "timeout"],
    ["more time than a timer has", { timeout: Number.POSITIVE_INFINITY }, "timeout"],
    ["a budget below nothing", { retryBudget: -1 }, "retryBudget"],
    ["a budget that is no number", { retryBudget: Number.NaN }, "retryBudget"],
  ];

  test.each(refused)("%s", (_, option, reason) => {
    const make = () => vitrine({ url: "https://vitrine.example", key: "key", ...option });
    expect(make).toThrow(reason);
    expect(make).not.toThrow("secret");
  });

  test.each(["http://localhost:3000", "http://me.localhost", "http://127.0.0.1", "http://[::1]:3000"])(
    "but http to this machine is fine: %s",
    (url) => {
      expect(() => vitrine({ url, key: "key" })).not.toThrow();
    },
  );

  test("but http to another machine is fine where the caller says so", () => {
    expect(() => vitrine({ url: "http://vitrine:3000", key: "key", allowInsecure: true })).not.toThrow();
  });
});

test("an answer has its type", async () => {
  await using server = await startTestServer();
  const full: FullUser = await vitrine({ url: server.url, key: (await server.key()).key }).full();
  const summary: string | null = full.profile.summary.value;
  expect(summary).toBe("Makes things.");
  const { key } = await server.key({ view: "public" });
  const shown = await vitrine({ url: server.url, key, view: "public" }).full();
  expectTypeOf(shown).toEqualTypeOf<PublicUser>();
  expect(shown).not.toContainAnyKeys(["email", "codehostId"]);
});
