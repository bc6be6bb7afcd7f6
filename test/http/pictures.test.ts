import { describe, expect, test } from "bun:test";
import { picturePath } from "../../src/contract/pictures.ts";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";

const HASH = "0123456789abcdef".repeat(2);
const BYTES = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

describe("an uploaded picture", () => {
  test("is served by its hash as what it is, for good, to pages of any site", async () => {
    await using server = await startTestServer();
    const { id } = await server.record();
    await server.store.pictures.put(id, { hash: HASH, type: "image/jpeg", bytes: BYTES });
    const path = picturePath({ hash: HASH, type: "image/jpeg" });
    expect(path).toBe(`/media/${HASH}.jpg`);
    const response = await server.get(path, {});
    expect(response.status).toBe(200);
    expect(await response.bytes()).toEqual(BYTES);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "cross-origin",
    });
    const head = await server.get(path, {}, "HEAD");
    expect(head.headers.get("Content-Length")).toBe(String(BYTES.length));
    expect((await server.get(path, {}, "POST")).status).toBe(405);
  });

  test("is at its address until a save takes it away, and again when that is undone", async () => {
    await using server = await startTestServer();
    const { id } = await server.record();
    const path = picturePath({ hash: HASH, type: "image/jpeg" });
    await server.store.pictures.put(id, { hash: HASH, type: "image/jpeg", bytes: BYTES });
    const statusWith = async (value: string | null) => {
      const written = withValue(writtenRecord(1), "profile.avatarUrl", { isPublic: true, value });
      await server.store.records.save([checkedRecord(written)]);
      return (await server.get(path, {})).status;
    };
    expect(await statusWith(`https://links.example${path}`)).toBe(200);
    expect(await statusWith(null)).toBe(404);
    expect(await statusWith(`https://links.example${path}`)).toBe(200);
  });

  test.each([`${HASH}.webp`, HASH, `${"f".repeat(32)}.jpg`, "..%2f..%2fetc", "%00.jpg"])(
    "is at no other name, such as %s",
    async (name) => {
      await using server = await startTestServer();
      const { id } = await server.record();
      await server.store.pictures.put(id, { hash: HASH, type: "image/jpeg", bytes: BYTES });
      const response = await server.get(`/media/${name}`, {});
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ statusCode: 404, error: "Not Found" });
    },
  );
});
