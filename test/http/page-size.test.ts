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

  test("has a tag for each form, and 304 for either that the visitor has", async () => {
    await using server = await serverWithHundredLinks();
    const tagOf = async (encoding: string) => (await fetchRaw(server, encoding)).headers.get("ETag") ?? "";
    const [plain, compressed] = [await tagOf("identity"), await tagOf("gzip")];
    expect(plain).not.toBe(compressed);
    for (const [encoding, tag, status] of [
      ["identity", plain, 304],
      ["gzip", compressed, 304],
      ["gzip", plain, 304],
      ["identity", compressed, 304],
      ["gzip", '"another"', 200],
    ] as const) {
      const headers = { "Accept-Encoding": encoding, "If-None-Match": tag };
      const response = await fetch(`${server.url}/t/everything-1`, { headers, decompress: false });
      expect(response.status).toBe(status);
      expect(response.headers.get("Vary")).toBe("Accept-Encoding");
    }
  });
});

test("a short page is sent with what all pages have in common compressed, and the rest as it is", async () => {
  const linkTrees = [{ slug: "a", title: "A", links: [] }];
  await using server = await startTestServer({
    records: [{ email: "short@example.com", profile: { slug: "a", isPublic: true }, linkTrees }],
  });
  const response = await fetchRaw(server, "gzip", "/t/a");
  expect(response.headers.get("Content-Encoding")).toBe("gzip");
  const sent = new Uint8Array(await response.arrayBuffer());
  expect(sent.length).toBeLessThan(FIRST_FLIGHT_BYTES / 2);
  expect(new TextDecoder().decode(sent)).toContain("</html>");
  const plain = await (await fetchRaw(server, "identity", "/t/a")).text();
  expect(new TextDecoder().decode(Bun.gunzipSync(sent))).toBe(plain);
});

describe("a page of very many links", () => {
  const COUNT = 20_000;

  async function serverWithMany(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
    const record = writtenRecord(1);
    const links = Array.from({ length: COUNT }, (_, index) => ({
      label: `Link number ${index}`,
      url: `https://place-${index}.example/"quoted"\\${index}`,
    }));
    const [tree, ...others] = record.linkTrees;
    return startTestServer({
      ...options,
      records: [{ ...record, linkTrees: [{ ...tree, links }, ...others] }],
    });
  }

  test("is compressed when it is first asked for, and not when it is sent again", async () => {
    await using server = await serverWithMany();
    await fetchRaw(server, "gzip");
    await server.kept();
    const [gzipSync, deflateSync] = [Bun.gzipSync, Bun.deflateSync];
    const refuse = () => {
      throw new Error("something was compressed");
    };
    Object.assign(Bun, { gzipSync: refuse, deflateSync: refuse });
    try {
      const response = await fetchRaw(server, "gzip");
      expect(response.headers.get("Content-Encoding")).toBe("gzip");
      const plain = new TextDecoder().decode(Bun.gunzipSync(await response.arrayBuffer()));
      expect(plain.match(/<li>/g)).toHaveLength(COUNT);
      expect(plain).toBe(await (await fetchRaw(server, "identity")).text());
    } finally {
      Object.assign(Bun, { gzipSync, deflateSync });
    }
  });

  test("that the visitor has is not even read", async () => {
    let read = 0;
    await using server = await serverWithMany({
      wrapReader: (reader) =>
        new Proxy(reader, {
          get(target, name) {
            if (name === "readPage") read++;
            const value = Reflect.get(target, name) as unknown;
            return typeof value === "function" ? value.bind(target) : value;
          },
        }),
    });
    const first = await fetchRaw(server, "gzip");
    expect(read).toBe(1);
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    expect((await fetch(`${server.url}/t/everything-1`, { headers })).status).toBe(304);
    expect(read).toBe(1);
  });

  test("leads from each link to where it goes", async () => {
    await using server = await serverWithMany();
    const links = (await server.record()).linkTrees[0]?.links ?? [];
    for (const index of [0, 1, 63, 64, 65, 9999, COUNT - 1]) {
      const { id, url } = links[index] ?? { id: "", url: "" };
      const response = await fetch(`${server.url}/t/everything-1/${id}`, { redirect: "manual" });
      expect(response.status).toBe(302);
      expect(response.headers.get("Location")).toBe(url);
    }
    for (const id of ["0", "zzzz", `${links[5]?.id}x`, "__proto__", "$"]) {
      expect((await fetch(`${server.url}/t/everything-1/${id}`)).status).toBe(404);
    }
  });
});
