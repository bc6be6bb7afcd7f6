import { describe, expect, test } from "bun:test";
import { VIEWS } from "../../src/contract/access.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { valueAt, withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";

const PATHS = ROUTES.map(({ path }) => path.replace(":slug", "everything-1"));
const FILES = ["/p/person-1.json", "/p/person-1.vcf"];

/** What a caller may say of encodings, or not say, who is to get the plain form. */
const PLAIN = [undefined, "", "identity", "gzip;q=0", "*;q=0", "br"];

const NO_LIMITS = { limits: { full: 1000, default: 1000 } };

/** A record of which every answer is long, in both views. */
function longRecord() {
  const record = writtenRecord(1);
  const many = <Item>(items: readonly Item[]) => Array.from({ length: 12 }, () => items).flat();
  const words = 'Words of every kind: ünïcode, 数学, "quotes" and 👋. '.repeat(20);
  return {
    ...record,
    profile: {
      ...record.profile,
      summary: { isPublic: true, value: words },
      url: { isPublic: true, value: `https://person1.example/${"long/".repeat(200)}` },
    },
    jobs: many(record.jobs).map((job, index) => ({ ...job, id: `job-${index}`, isPublic: index % 2 === 0 })),
    projects: many(record.projects).map((project) => ({ ...project, jobId: null })),
    linkTrees: record.linkTrees.map((tree) => ({ ...tree, description: words, links: many(tree.links) })),
    education: many(record.education),
  };
}

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An answer as it goes over the wire. */
async function ask(
  { url }: TestServer,
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<Sent> {
  const response = await fetch(url + path, { headers, method, decompress: false });
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

function accepting(encoding: string | undefined): Record<string, string> {
  return encoding === undefined ? {} : { "Accept-Encoding": encoding };
}

/** Every path with what is to be sent along: a key of each view, or nothing. */
const CASES = [
  ...VIEWS.flatMap((view) =>
    PATHS.map((path) => ({
      path,
      view,
      who: `a key of the ${view} view`,
      varies: "Authorization, Accept-Encoding",
    })),
  ),
  ...FILES.map((path) => ({ path, view: undefined, who: "anybody", varies: "Accept-Encoding" })),
];

describe.each(CASES)("$path for $who", ({ path, view, varies }) => {
  async function serverAndKey(records?: readonly unknown[]) {
    const server = await startTestServer({ ...NO_LIMITS, ...(records && { records }) });
    return { server, key: view ? bearer((await server.key({ view })).key) : {} };
  }

  test("is compressed for who accepts gzip, and byte for byte the same once it is unpacked", async () => {
    const { server, key } = await serverAndKey([longRecord()]);
    await using _ = server;
    const plain = await ask(server, path, { ...key, ...accepting("identity") });
    expect(plain.headers.get("Content-Encoding")).toBeNull();
    expect(plain.bytes.length).toBeGreaterThan(1024);
    for (const accepted of ["gzip", "gzip, deflate, br, zstd", "*"]) {
      const packed = await ask(server, path, { ...key, ...accepting(accepted) });
      expect(packed.headers.get("Content-Encoding")).toBe("gzip");
      expect(packed.headers.get("Content-Length")).toBe(String(packed.bytes.length));
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
      expect(Buffer.from(Bun.gunzipSync(packed.bytes)).equals(plain.bytes)).toBe(true);
      expect(packed.headers.get("Content-Type")).toBe(plain.headers.get("Content-Type") ?? "");
    }
  });

  test("is plain for all others, and has one tag for them", async () => {
    const { server, key } = await serverAndKey([longRecord()]);
    await using _ = server;
    const [first, ...others] = await Promise.all(
      PLAIN.map((accepted) => ask(server, path, { ...key, ...accepting(accepted) })),
    );
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(first?.bytes)).not.toThrow();
    for (const other of others) {
      expect(other.headers.get("Content-Encoding")).toBeNull();
      expect(other.headers.get("ETag")).toBe(first?.headers.get("ETag") ?? "");
      expect(other.bytes).toEqual(first?.bytes as Uint8Array<ArrayBuffer>);
    }
  });

  test("has a strong tag in each encoding, and 304 for either, alone or in a list, strong or weak", async () => {
    const { server, key } = await serverAndKey([longRecord()]);
    await using _ = server;
    const tagIn = async (encoding: string) =>
      (await ask(server, path, { ...key, ...accepting(encoding) })).headers.get("ETag") ?? "";
    const tags = [await tagIn("identity"), await tagIn("gzip")];
    expect(new Set(tags).size).toBe(2);
    for (const tag of tags) {
      expect(tag).toMatch(/^"[\da-z.]+"$/);
      for (const encoding of ["identity", "gzip"])
        for (const known of [tag, `W/${tag}`, `"another", ${tag}`, `W/${tag}, "another"`]) {
          const headers = { ...key, ...accepting(encoding), "If-None-Match": known };
          const answer = await ask(server, path, headers);
          expect(answer.status).toBe(304);
          expect(answer.bytes).toHaveLength(0);
          expect(answer.headers.get("ETag")).toBe(tag);
          expect(answer.headers.get("Vary")).toBe(varies);
          expect(answer.headers.has("Content-Encoding")).toBe(false);
        }
    }
    const other = await ask(server, path, {
      ...key,
      ...accepting("gzip"),
      "If-None-Match": '"another.gzip"',
    });
    expect(other.status).toBe(200);
  });

  test.each(["identity", "gzip"])(
    "has in the 304 to a star the tag that the 200 has: %s",
    async (encoding) => {
      const { server, key } = await serverAndKey([longRecord()]);
      await using _ = server;
      const headers = { ...key, ...accepting(encoding) };
      const sent = await ask(server, path, headers);
      const same = await ask(server, path, { ...headers, "If-None-Match": "*" });
      expect(same.status).toBe(304);
      expect(same.headers.get("ETag")).toBe(sent.headers.get("ETag") ?? "");
    },
  );

  test.each(["identity", "gzip"])("answers HEAD as GET, the length included: %s", async (encoding) => {
    const { server, key } = await serverAndKey([longRecord()]);
    await using _ = server;
    const headers = { ...key, ...accepting(encoding), "X-Request-Id": "same" };
    const get = await ask(server, path, headers);
    // The window is over, so that the second request finds the limits as the first did.
    server.clock.advance(60_000);
    const head = await ask(server, path, headers, "HEAD");
    for (const answer of [get, head]) answer.headers.delete("Date");
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    expect(head.headers.get("Content-Length")).toBe(String(get.bytes.length));
    expect(head.headers.get("Vary")).toBe(varies);
    expect(head.bytes).toHaveLength(0);
  });
});

/** A field by which an answer can be made as long as a test needs it, in a record that has little else. */
const LENGTHENED = [
  ["/user/full", "profile.summary.value"],
  ["/user/links", "profile.url.value"],
  ["/user/linktrees", "linkTrees[0].description"],
  ["/user/linktrees/short", "linkTrees[0].description"],
  ["/user/resume", "profile.summary.value"],
  ["/p/short.json", "profile.summary.value"],
  ["/p/short.vcf", "profile.summary.value"],
] as const;

describe.each(LENGTHENED)("%s", (path, place) => {
  const email = "short@example.com";
  const short = {
    email,
    profile: {
      slug: "short",
      isPublic: true,
      summary: { isPublic: true, value: "Short." },
      url: { isPublic: true, value: "https://short.example/" },
    },
    linkTrees: [{ slug: "short", title: "Short", description: "Short.", links: [] }],
  };

  test("is plain for everybody with 1,023 bytes, and compressed with 1,024", async () => {
    await using server = await startTestServer({ ...NO_LIMITS, records: [short] });
    const key = path.startsWith("/p/") ? {} : bearer((await server.key({ email })).key);
    const plainLength = async () =>
      (await ask(server, path, { ...key, ...accepting("identity") })).bytes.length;
    let value = String(valueAt(short, place));
    for (const [length, encoding] of [
      [1023, null],
      [1024, "gzip"],
    ] as const) {
      // Some texts are folded, which takes bytes of its own: so they become longer step by step.
      for (;;) {
        const missing = length - (await plainLength());
        if (missing <= 0) break;
        value += "x".repeat(Math.max(1, missing - 40));
        await server.store.records.save([checkedRecord(withValue(short, place, value))]);
      }
      expect(await plainLength()).toBe(length);
      const answer = await ask(server, path, { ...key, ...accepting("gzip") });
      expect(answer.headers.get("Content-Encoding")).toBe(encoding);
      expect(answer.headers.get("ETag")?.endsWith('.gzip"')).toBe(encoding === "gzip");
    }
  });
});

test("a long answer is the same each time it is asked for, by any method, and ends with its key", async () => {
  await using server = await startTestServer({ ...NO_LIMITS, records: [longRecord()] });
  const { key, id } = await server.key();
  for (const encoding of ["gzip", "identity"]) {
    const headers = { ...bearer(key), ...accepting(encoding) };
    const [first, ...others] = [
      await ask(server, "/user/full", headers),
      ...(await Promise.all(Array.from({ length: 5 }, () => ask(server, "/user/full", headers)))),
    ];
    const length = first?.headers.get("Content-Length");
    expect(Number(length)).toBe(first?.bytes.length as number);
    for (const { status, bytes } of others) {
      expect(status).toBe(200);
      expect(bytes).toEqual(first?.bytes as Uint8Array<ArrayBuffer>);
    }
    const etag = first?.headers.get("ETag") ?? "";
    expect((await ask(server, "/user/full", headers, "HEAD")).headers.get("Content-Length")).toBe(
      length ?? "",
    );
    expect((await ask(server, "/user/full", { ...headers, "If-None-Match": etag })).status).toBe(304);
  }
  await server.store.keys.revoke(id);
  expect((await ask(server, "/user/full", bearer(key))).status).toBe(401);
});

test("a tree of 3,000 links is sent in less than a fifth of its plain length", async () => {
  const record = writtenRecord(1);
  const links = Array.from({ length: 3000 }, (_, index) => ({
    label: `A link with a label of some length, number ${index}`,
    url: `https://place-${index}.example/somewhere/else`,
  }));
  await using server = await startTestServer({ records: [withValue(record, "linkTrees[0].links", links)] });
  const key = bearer((await server.key()).key);
  const lengthIn = async (encoding: string) =>
    (await ask(server, "/user/linktrees/everything-1", { ...key, ...accepting(encoding) })).bytes.length;
  expect((await lengthIn("gzip")) * 5).toBeLessThan(await lengthIn("identity"));
});
