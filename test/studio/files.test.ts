import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "yaml";
import type { UserRecord } from "../../src/records/record.ts";
import type { Key, MintedKey, Numbers, RecordCheck, StoredRecord } from "../../src/studio/contract.ts";
import { readFile, writeYaml } from "../../src/studio/file-thread.ts";
import { fileOf } from "../../src/studio/record-file.ts";
import { withValue } from "../support/edit-record.ts";
import { writtenRecord } from "../support/records.ts";
import { PUBLIC_URL, startTestStudio } from "../support/studio.ts";

setDefaultTimeout(300_000);

const EMAIL = writtenRecord(1).email;
const DAY_MS = 24 * 60 * 60 * 1000;

async function opened() {
  const studio = await startTestStudio();
  const as = await studio.enterAsOwner();
  const params = { user: (await studio.record()).id };
  const read = async <Answer>(response: Promise<Response>) => (await (await response).json()) as Answer;
  return { studio, as, params, read, [Symbol.asyncDispose]: () => studio[Symbol.asyncDispose]() };
}

describe("the numbers", () => {
  test("of very many trees are told for fewer days alone", async () => {
    const trees = Array.from({ length: 2000 }, (_, index) => ({
      title: "",
      slug: `tree-${index}`,
      links: [],
    }));
    await using studio = await startTestStudio({ records: [{ ...writtenRecord(1), linkTrees: trees }] });
    const as = await studio.enterAsOwner();
    const params = { user: (await studio.record()).id };
    const asked = (name: "showNumbers" | "downloadNumbers", days: string) =>
      studio.call(name, { as, params, query: { days } });
    for (const name of ["showNumbers", "downloadNumbers"] as const) {
      const refused = await asked(name, "365");
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({ message: expect.stringContaining("Take fewer days.") });
      expect((await asked(name, "90")).status).toBe(200);
    }
  });

  test("are those of a period by day, tree and link, beside the period before, and come as CSV", async () => {
    await using it = await opened();
    const { studio, as, params } = it;
    const tree = (await studio.record()).linkTrees[0];
    const link = tree?.links[0];
    const day = (ago: number) => new Date(studio.clock.now() - ago * DAY_MS).toISOString().slice(0, 10);
    const writer = await studio.database.openCountWriter();
    const row = { userNumber: 1, treeId: tree?.id ?? "", linkId: "" };
    await writer.write({
      counts: [
        { ...row, day: day(0), count: 5 },
        { ...row, day: day(6), count: 2 },
        { ...row, day: day(7), count: 9 },
        { ...row, day: day(14), count: 100 },
        { ...row, linkId: link?.id ?? "", day: day(1), count: 3 },
      ],
      keyIds: [],
      usedAt: 0,
    });
    await writer.close();
    const numbers = await it.read<Numbers>(studio.call("showNumbers", { as, params, query: { days: "7" } }));
    expect(numbers).toMatchObject({
      from: day(6),
      to: day(0),
      views: 7,
      clicks: 3,
      before: { views: 9, clicks: 0 },
    });
    expect(numbers.days).toHaveLength(7);
    expect(numbers.days.at(-1)).toEqual({ day: day(0), views: 5, clicks: 0 });
    expect(numbers.trees.map(({ before }) => before)).toEqual([
      { views: 9, clicks: 0 },
      { views: 0, clicks: 0 },
    ]);
    expect(numbers.trees[0]?.links[0]).toMatchObject({ id: link?.id, clicks: 3 });
    const csv = await studio.call("downloadNumbers", { as, params, query: { days: "7" } });
    expect(csv.headers.get("Content-Disposition")).toContain("attachment");
    const lines = (await csv.text()).split("\r\n");
    expect(lines[0]).toBe("day,slug,title,views,clicks");
    expect(lines).toContain(`${day(0)},${tree?.slug},${tree?.title},5,0`);
    expect((await studio.call("showNumbers", { as, params, query: { days: "8" } })).status).toBe(400);
  });

  test("as CSV say that they are UTF-8, which Excel asks of a file", async () => {
    await using studio = await startTestStudio({ records: [writtenRecord(1)] });
    const as = await studio.enterAsOwner();
    const params = { user: (await studio.record()).id };
    const csv = await studio.call("downloadNumbers", { as, params, query: { days: "7" } });
    expect([...(await csv.bytes()).subarray(0, 6)]).toEqual([0xef, 0xbb, 0xbf, ...Buffer.from("day")]);
  });

  test("as CSV hold no title that a spreadsheet would run", async () => {
    const record = withValue(
      writtenRecord(1),
      "linkTrees[0].title",
      '=HYPERLINK("https://evil.example","x")',
    );
    await using studio = await startTestStudio({ records: [record] });
    const as = await studio.enterAsOwner();
    const params = { user: (await studio.record()).id };
    const csv = await studio.call("downloadNumbers", { as, params, query: { days: "7" } });
    expect(await csv.text()).toContain(`,"'=HYPERLINK(""https://evil.example"",""x"")",0,0`);
  });
});

describe("keys in the studio", () => {
  test("are made, shown once, listed, rotated and revoked", async () => {
    await using it = await opened();
    const { studio, as, params, read } = it;
    const made = await read<MintedKey>(
      studio.call("createKey", { as, params, body: { name: "site", expires: "90d" } }),
    );
    expect(made.secret).toMatch(/^vit_/);
    expect(made.key).toMatchObject({ name: "site", status: "active", lastUsedAt: null });
    const key = { ...params, key: made.key.id };
    const next = await read<MintedKey>(studio.call("rotateKey", { as, params: key, body: { grace: "24h" } }));
    expect(next.key.expiresAt).toBe(made.key.expiresAt);
    const revoked = await read<Key>(studio.call("revokeKey", { as, params: key }));
    expect(revoked.status).toBe("revoked");
    const list = await read<Key[]>(studio.call("listKeys", { as, params }));
    expect(list.map(({ status }) => status).toSorted()).toEqual(["active", "revoked"]);
    expect(JSON.stringify(list)).not.toContain(made.secret);
    expect((await studio.call("rotateKey", { as, params: key, body: { grace: "0" } })).status).toBe(410);
    for (const expires of ["soon", "2020-01-01"]) {
      const wrong = await studio.call("createKey", { as, params, body: { name: null, expires } });
      expect(await wrong.json()).toMatchObject({ problems: [{ path: ["expires"] }] });
    }
  });
});

describe("an owner with thousands of keys, ended ones included", () => {
  test("makes no more of them, and can still end one", async () => {
    await using it = await opened();
    const { studio, as, params } = it;
    const { email } = await studio.record();
    const keys = Array.from({ length: 10_000 }, () => ({
      email,
      hash: crypto.getRandomValues(new Uint8Array(32)),
      name: null,
      expiresAt: 1,
    }));
    const made = await studio.store.keys.create(keys);
    const key = { ...params, key: made[0]?.id ?? "" };
    for (const refused of [
      await studio.call("createKey", { as, params, body: { name: null, expires: null } }),
      await studio.call("rotateKey", { as, params: key, body: { grace: "0" } }),
    ]) {
      expect(refused.status).toBe(403);
      expect(await refused.json()).toEqual({
        fault: "not-allowed",
        message: "There are 10,000 keys already, ended ones included, which is the most.",
      });
    }
    expect((await studio.call("revokeKey", { as, params: key })).status).toBe(200);
    expect(await studio.store.keys.of(email)).toHaveLength(10_000);
  });
});

describe("a key for a web site", () => {
  test("has the public view and its paths, also when it is rotated", async () => {
    await using it = await opened();
    const { studio, as, params, read } = it;
    const terms = { view: "public", paths: ["links", "jobs"] };
    const body = { name: "site", expires: null, ...terms };
    const made = await read<MintedKey>(studio.call("createKey", { as, params, body }));
    expect(made.secret).toStartWith("vitp_");
    expect(made.key).toMatchObject(terms);
    const key = { ...params, key: made.key.id };
    const next = await read<MintedKey>(studio.call("rotateKey", { as, params: key, body: { grace: "0" } }));
    expect(next.secret).toStartWith("vitp_");
    expect(next.key).toMatchObject(terms);
    for (const wrong of [{ view: "all" }, { paths: [] }, { paths: ["users"] }]) {
      const refused = await studio.call("createKey", { as, params, body: { ...body, ...wrong } });
      expect(refused.status).toBe(422);
    }
  });
});

describe("a QR code", () => {
  test("of a tree's page comes as SVG and PNG, and of no other's", async () => {
    await using it = await opened();
    const { studio, as, params } = it;
    const slug = (await studio.record()).linkTrees[0]?.slug ?? "";
    const svg = await studio.call("drawQrCode", {
      as,
      params: { ...params, slug },
      query: { format: "svg" },
    });
    expect(svg.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(await svg.text()).toStartWith("<svg");
    const png = await studio.call("drawQrCode", {
      as,
      params: { ...params, slug },
      query: { format: "png" },
    });
    expect((await png.bytes()).slice(1, 4)).toEqual(new Uint8Array(Buffer.from("PNG")));
    const other = (await studio.record(writtenRecord(2).email)).linkTrees[0]?.slug ?? "";
    const refused = await studio.call("drawQrCode", { as, params: { ...params, slug: other } });
    expect(refused.status).toBe(404);
  });
});

describe("a picture", () => {
  const WEBP = Buffer.concat([
    Buffer.from("RIFF"),
    Buffer.alloc(4),
    Buffer.from("WEBPVP8 "),
    Buffer.alloc(32, 7),
  ]);

  test("is named for its bytes, found by the server, and no more once the record does not show it", async () => {
    await using it = await opened();
    const { studio, as, params, read } = it;
    const { url } = await read<{ url: string }>(studio.call("uploadPicture", { as, params, body: WEBP }));
    expect(url).toMatch(/^https:\/\/links\.example\/media\/[\da-f]{32}\.webp$/);
    const hash = /media\/(\w+)/.exec(url)?.[1] ?? "";
    const isThere = async () => {
      const reader = await studio.database.openReader();
      const picture = await reader.readPicture(hash);
      await reader.close();
      return picture?.type;
    };
    const save = async (value: string | null) => {
      const { record, revision } = await read<StoredRecord>(studio.call("showRecord", { as, params }));
      const body = { record: withValue(record, "profile.avatarUrl.value", value), revision };
      expect((await studio.call("saveRecord", { as, params, body })).status).toBe(200);
    };
    expect(await isThere()).toBe("image/webp");
    await save(url);
    expect(await isThere()).toBe("image/webp");
    await save(null);
    expect(await isThere()).toBeUndefined();
    expect(url).toStartWith(PUBLIC_URL);
  });

  test.each([
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["a GIF", "GIF89a"],
    ["HTML with the name of a picture in it", "<html>RIFFxxxxWEBPVP8 "],
    ["nothing", ""],
  ])("that is %s is refused", async (_, text) => {
    await using it = await opened();
    const headers = { "Content-Type": "image/webp" };
    const body = Buffer.from(text);
    const response = await it.studio.call("uploadPicture", { as: it.as, params: it.params, body, headers });
    expect([response.status, await response.json()]).toMatchObject([415, { fault: "not-a-picture" }]);
  });

  test("of more than 256 KB is refused with a sentence", async () => {
    await using it = await opened();
    const body = Buffer.concat([WEBP, Buffer.alloc(256 * 1024)]);
    const response = await it.studio.call("uploadPicture", { as: it.as, params: it.params, body });
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { message: "The picture has more than 256 KB." },
    ]);
  });
});

describe("a record as a file", () => {
  test("goes out as YAML and JSON, and comes back as what would change", async () => {
    await using it = await opened();
    const { studio, as, params, read } = it;
    const record = await studio.record();
    const yaml = await (await studio.call("exportRecord", { as, params, query: { format: "yaml" } })).text();
    expect(parse(yaml)).toEqual(record);
    const json = await studio.call("exportRecord", { as, params, query: { format: "json" } });
    expect(json.headers.get("Content-Disposition")).toBe('attachment; filename="person-1.json"');
    const text = await json.text();
    expect(JSON.parse(text)).toEqual(record);

    const upload = (content: string) =>
      read<RecordCheck>(studio.call("readUpload", { as, params, body: Buffer.from(content) }));
    for (const same of [yaml, text])
      expect(await upload(same)).toEqual({ record, problems: [], differences: [] });
    const changed = await upload(yaml.replace("Makes things.", "Builds things."));
    expect(changed).toMatchObject({ differences: [{ path: ["profile", "summary"] }], problems: [] });
    expect((await studio.record()).profile.summary.value).toBe("Makes things.");
    expect((await upload("{")).problems).toMatchObject([{ path: [] }]);
    expect((await upload("[]")).problems).toMatchObject([{ message: "The file must hold one record." }]);
    expect((await upload(`email: ${EMAIL}`)).problems.map(({ path }) => path)).toContainEqual(["profile"]);
    const other = JSON.stringify(await studio.record(writtenRecord(2).email));
    expect((await upload(other)).problems).toMatchObject([{ path: ["id"] }, { path: ["email"] }]);
  });

  test("goes out as YAML that comes back unchanged, whatever white space its texts have", async () => {
    const summary = "First.\n \nThen some words, too long for a short text.\n ";
    const odd = withValue(writtenRecord(1), "profile.summary.value", summary);
    await using studio = await startTestStudio({ records: [odd] });
    const as = await studio.enterAsOwner();
    const record = await studio.record();
    const params = { user: record.id };
    const body = await (await studio.call("exportRecord", { as, params })).bytes();
    const upload = await studio.call("readUpload", { as, params, body });
    expect(await upload.json()).toEqual({ record, problems: [], differences: [] });
  });

  test("is made YAML while others are answered, where it is large", async () => {
    await using it = await opened();
    const record = await it.studio.record();
    const [tree] = record.linkTrees;
    const link = { id: "a", label: "Link", url: "https://example.com/some/path" };
    const large = { ...record, linkTrees: [{ ...tree, links: new Array(5000).fill(link) }] } as UserRecord;
    const turnsFor = async (written: UserRecord) => {
      let [turns, isCounting] = [0, true];
      const count = () => {
        turns++;
        if (isCounting) setImmediate(count);
      };
      setImmediate(count);
      expect(parse(await fileOf(written, "yaml"))).toEqual(written);
      isCounting = false;
      return turns;
    };
    await turnsFor(record);
    expect(await turnsFor(large)).toBeGreaterThan(10);
    await expect(writeYaml(JSON.stringify(large), "ada", 1)).rejects.toThrow("Take it as JSON instead.");
    expect(await turnsFor(large)).toBeGreaterThan(10);
  });

  test("of 5,000 links goes out as YAML and comes back, and holds up nobody meanwhile", async () => {
    const links = Array.from({ length: 5000 }, (_, index) => ({
      label: `Link ${index}`,
      url: `https://example.com/some/path/${index}`,
    }));
    const large = withValue(writtenRecord(1), "linkTrees[0].links", links);
    await using studio = await startTestStudio({ records: [large] });
    const as = await studio.enterAsOwner();
    const record = await studio.record();
    const params = { user: record.id };
    const body = await (await studio.call("exportRecord", { as, params })).bytes();
    const answered: string[] = [];
    const upload = studio.call("readUpload", { as, params, body });
    const other = studio.call("listKeys", { as, params });
    await Promise.all([
      upload.then(() => answered.push("the file")),
      other.then(() => answered.push("the keys")),
    ]);
    expect(answered).toEqual(["the keys", "the file"]);
    expect(await (await upload).json()).toEqual({ record, problems: [], differences: [] });
  });

  test.each([
    [
      "is not JSON",
      '{\n  "email": "a",\n}',
      "Line 3, column 1: the file is not JSON from here on: take away the comma before it.",
    ],
    [
      "is not YAML",
      "email: a\nprofile:\n\tisPublic: true\n",
      "Line 3, column 1: the file is indented with a tab: use spaces.",
    ],
    [
      "is in another encoding",
      Buffer.from("name: José", "latin1"),
      "Line 1, column 10: the file is not UTF-8 text: save it as UTF-8.",
    ],
    ["is a page", "<!doctype html>", "The file is a page of HTML."],
    [
      "is another program's",
      '{"basics":{"name":"Ada"},"work":[]}',
      "The file looks like a JSON Resume. The operator can import it, with --from jsonresume.",
    ],
    [
      "is nested as no record is",
      `x: ${"[".repeat(5000)}`,
      "Line 1, column 34: the file is nested deeper than any record.",
    ],
    [
      "has more than 768 KB of YAML",
      "- a: 1\n".repeat(200_000),
      "A file of YAML may have 768 KB at most. A larger one can be brought as JSON.",
    ],
  ])("that %s is refused with a sentence", async (_, text, message) => {
    await using it = await opened();
    const { studio, as, params, read } = it;
    const check = await read<RecordCheck>(studio.call("readUpload", { as, params, body: Buffer.from(text) }));
    expect(check.problems).toEqual([{ path: [], message }]);
  });

  /** Each name is compared with all before it. */
  const HARD = Buffer.from(
    Array.from({ length: 100_000 }, (_, index) => `n${index}: 1\n`)
      .join("")
      .slice(0, 700_000),
  );

  test("that takes too long to read is given up", async () => {
    await expect(readFile(HARD, "ada", 1)).rejects.toThrow("The file takes too long to read.");
    expect(await readFile(Buffer.from("a: 1"), "ada")).toEqual({ value: { a: 1 } });
  });

  test("waits for one file of another owner at most, and for all of its own", async () => {
    const over: string[] = [];
    const read = (account: string, bytes: Uint8Array) =>
      readFile(bytes, account, 300)
        .catch(() => {})
        .finally(() => over.push(account));
    await Promise.all([
      ...[HARD, HARD, HARD].map((hard) => read("eve", hard)),
      read("ada", Buffer.from("a: 1")),
    ]);
    expect(over).toEqual(["eve", "ada", "eve", "eve"]);
  });
});
