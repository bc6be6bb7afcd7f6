import { describe, expect, test } from "bun:test";
import { writtenRecord } from "../support/records.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const FIRST_FLIGHT_BYTES = 14 * 1024;

async function serverWithHundredLinks(): Promise<TestServer> {
  const record = writtenRecord(1);
  const links = Array.from({ length: 100 }, (_, index) => ({
    label: `A link with a label of some length, number ${index}`,
    url: `https://place-${index}.example/somewhere/else`,
  }));
  const [tree, ...others] = record.linkTrees;
  return startTestServer({ records: [{ ...record, linkTrees: [{ ...tree, links }, ...others] }] });
}

/** The page as it goes over the wire, and what the server says of it. */
function fetchRaw(server: TestServer, acceptEncoding: string, path = "/t/everything-1"): Promise<Response> {
  return fetch(server.url + path, { headers: { "Accept-Encoding": acceptEncoding }, decompress: false });
}

describe("a page of a hundred links", () => {
  test("is under 14 KB on its way to a browser", async () => {
    await using server = await serverWithHundredLinks();
    const response = await fetchRaw(server, "gzip, deflate, br, zstd");
    expect(response.headers.get("Content-Encoding")).toBe("gzip");
    const sent = new Uint8Array(await response.arrayBuffer());
    expect(sent.length).toBeLessThan(FIRST_FLIGHT_BYTES);
    const plain = await (await fetchRaw(server, "identity")).text();
    expect(new TextDecoder().decode(Bun.gunzipSync(sent))).toBe(plain);
    expect(plain.match(/<li>/g)).toHaveLength(100);
  });

  test.each(["", "identity", "br", "gzip;q=0", "gzip;q=0.0, br", "xgzip", "*;q=0"])(
    "is sent as it is to who accepts %p",
    async (accepted) => {
      await using server = await serverWithHundredLinks();
      const response = await fetchRaw(server, accepted);
      expect(response.headers.get("Content-Encoding")).toBeNull();
      expect(await response.text()).toStartWith("<!doctype html>");
    },
  );

  test.each(["gzip", "br;q=1, gzip;q=0.5", "GZIP", "*", "deflate,gzip"])(
    "is compressed for who accepts %p",
    async (accepted) => {
      await using server = await serverWithHundredLinks();
      expect((await fetchRaw(server, accepted)).headers.get("Content-Encoding")).toBe("gzip");
    },
  );

  test("has a tag for each form, and 304 for the form that the visitor has", async () => {
    await using server = await serverWithHundredLinks();
    const tagOf = async (encoding: string) => (await fetchRaw(server, encoding)).headers.get("ETag") ?? "";
    const [plain, compressed] = [await tagOf("identity"), await tagOf("gzip")];
    expect(plain).not.toBe(compressed);
    for (const [encoding, tag, status] of [
      ["identity", plain, 304],
      ["gzip", compressed, 304],
      ["gzip", plain, 200],
    ] as const) {
      const headers = { "Accept-Encoding": encoding, "If-None-Match": tag };
      const response = await fetch(`${server.url}/t/everything-1`, { headers, decompress: false });
      expect(response.status).toBe(status);
      expect(response.headers.get("Vary")).toBe("Accept-Encoding");
    }
  });
});

test("a page that fits one flight is not compressed", async () => {
  await using server = await startTestServer();
  const response = await fetchRaw(server, "gzip");
  expect(response.headers.get("Content-Encoding")).toBeNull();
  expect((await response.bytes()).length).toBeLessThan(FIRST_FLIGHT_BYTES);
});
