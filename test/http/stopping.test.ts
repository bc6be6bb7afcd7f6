import { describe, expect, test } from "bun:test";
import type { DocumentReader } from "../../src/store/reader.ts";
import { sendRaw } from "../support/raw-connection.ts";
import { startTestServer } from "../support/server.ts";

/** A reader whose reads wait until the test opens the gate. */
function gated() {
  const arrival = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const wrapReader = (reader: DocumentReader): DocumentReader => ({
    readDocument: async (keyHash, kind, view) => {
      arrival.resolve();
      await gate.promise;
      return reader.readDocument(keyHash, kind, view);
    },
    readLinkTree: (keyHash, slug, view) => reader.readLinkTree(keyHash, slug, view),
    readPage: (slug) => reader.readPage(slug),
    readPageTag: (slug) => reader.readPageTag(slug),
    readLink: (slug, linkId) => reader.readLink(slug, linkId),
    readProfilePage: (slug) => reader.readProfilePage(slug),
    readProfilePageTag: (slug) => reader.readProfilePageTag(slug),
    readMovedPage: (kind, slug) => reader.readMovedPage(kind, slug),
    readOnlyProfile: () => reader.readOnlyProfile(),
    readProfileFile: (slug, file) => reader.readProfileFile(slug, file),
    readPreview: (kind, slug) => reader.readPreview(kind, slug),
    readPicture: (hash) => reader.readPicture(hash),
    ping: () => reader.ping(),
    close: () => reader.close(),
  });
  return { wrapReader, arrived: arrival.promise, open: gate.resolve };
}

describe("a server that is stopped", () => {
  test("finishes what is in flight, and only then is done", async () => {
    const { wrapReader, arrived, open } = gated();
    const server = await startTestServer({ wrapReader });
    const answer = server.get("/user/full");
    await arrived;
    const stopped = server[Symbol.asyncDispose]();
    open();
    expect((await answer).status).toBe(200);
    await stopped;
  });

  test("takes no new connection while it finishes", async () => {
    const { wrapReader, arrived, open } = gated();
    const server = await startTestServer({ wrapReader });
    const answer = server.get("/user/full");
    await arrived;
    const stopped = server[Symbol.asyncDispose]();
    const late = sendRaw(server.url, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    await expect(late).rejects.toThrow();
    open();
    await Promise.all([answer, stopped]);
  });
});

test("answers that wait for storage go each to its own caller, also where others ask in between", async () => {
  const { wrapReader, open } = gated();
  await using server = await startTestServer({ wrapReader });
  const keys = await Promise.all(
    ["person1@example.com", "person2@example.com"].map((email) => server.key({ email })),
  );
  const asked = keys.map(({ key }) => server.get("/user/full", { Authorization: `Bearer ${key}` }));
  const unknown = server.get("/user/full", {});
  open();
  const emails = await Promise.all(
    asked.map(async (response) => ((await (await response).json()) as { email: string }).email),
  );
  expect(emails).toEqual(["person1@example.com", "person2@example.com"]);
  expect((await unknown).status).toBe(401);
});
