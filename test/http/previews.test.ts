import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { picturePath } from "../../src/contract/pictures.ts";
import type { DrawRequest } from "../../src/previews/messages.ts";
import { DrawingProcess } from "../../src/serving/drawing-process.ts";
import type { CountWriter } from "../../src/store/count-writer.ts";
import { pictureIn } from "../../src/store/pictures.ts";
import { withValue } from "../support/edit-record.ts";
import { VITRINE } from "../support/program.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { PERSON } from "../support/visitors.ts";

// What draws is a program that has to start, beside whatever else the machine does.
setDefaultTimeout(300_000);

const PORTRAIT = await Bun.file(new URL("../../sample/portrait.jpg", import.meta.url)).bytes();

/** Draws for all tests but those about the process itself, or that end while it still has something to draw. */
const drawing = new DrawingProcess({ command: VITRINE });
afterAll(() => drawing[Symbol.dispose]());

function meta(markup: string, name: string): string | undefined {
  return new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(markup)?.[1];
}

async function previewOf(server: TestServer, page = "/t/everything-1"): Promise<string> {
  return meta(await (await server.get(page, {})).text(), "og:image") ?? "";
}

/** The preview picture of a page whose owner has uploaded a portrait. */
async function pictureWithPortrait(server: TestServer): Promise<Uint8Array> {
  const portrait = pictureIn(PORTRAIT);
  if (!portrait) throw new Error("no portrait");
  await server.store.pictures.put((await server.record()).id, portrait);
  const address = server.url + picturePath(portrait);
  const record = withValue(writtenRecord(1), "profile.avatarUrl.value", address);
  await server.store.records.save([checkedRecord(record)]);
  return picture(await previewOf(server));
}

/** A picture once it is there: who asks while the drawing process still starts may be told to come back. */
async function picture(address: string): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined;
  await until("the picture to be drawn", async () => {
    const response = await fetch(address);
    if (response.status === 200) bytes = await response.bytes();
    else expect(response.status).toBe(503);
    return bytes !== undefined;
  });
  return bytes as Uint8Array;
}

describe.each(["/t/everything-1", "/p/person-1"])("the preview picture of %s", (page) => {
  test("is named in the page, with an address, a size and words", async () => {
    await using server = await startTestServer({ draws: true, drawing, publicUrl: "https://links.example" });
    const markup = await (await server.get(page, {})).text();
    expect(meta(markup, "og:image")).toMatch(
      new RegExp(`^https://links\\.example/preview${page}/[\\da-z]+\\.png$`),
    );
    expect(markup.match(/og:image"/g)).toHaveLength(1);
    expect(meta(markup, "og:image:type")).toBe("image/png");
    expect(meta(markup, "og:image:width")).toBe("1200");
    expect(meta(markup, "og:image:height")).toBe("630");
    expect(meta(markup, "og:image:alt")).toContain("Person 1");
    expect(meta(markup, "twitter:card")).toBe("summary_large_image");
    expect(server.previews?.numbers.drawn).toBe(0);
  });

  test("is drawn when it is first asked for, may be kept for ever, and is not drawn again", async () => {
    await using server = await startTestServer({ draws: true, drawing });
    const address = await previewOf(server, page);
    const first = await picture(address);
    expect(await new Bun.Image(first).metadata()).toMatchObject({ width: 1200, height: 630, format: "png" });
    const response = await fetch(address);
    expect(await response.bytes()).toEqual(first);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(server.previews?.numbers).toEqual({ drawn: 1, failed: 0, refused: 0 });
  });

  test("has another address when it shows another name, and the old one leads there", async () => {
    await using server = await startTestServer({ draws: true, drawing });
    const before = await previewOf(server, page);
    const first = await picture(before);
    const renamed = withValue(writtenRecord(1), "profile.name.value", "Grace Hopper");
    await server.store.records.save([checkedRecord(renamed)]);
    const after = await previewOf(server, page);
    expect(after).not.toBe(before);
    const moved = await fetch(before, { redirect: "manual" });
    expect(moved.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(moved.status).toBe(302);
    expect(moved.headers.get("Location")).toBe(new URL(after).pathname);
    expect(moved.headers.get("Cache-Control")).toBe("no-store");
    expect(await picture(after)).not.toEqual(first);
  });

  test("is gone with its user, as the page is", async () => {
    await using server = await startTestServer({ draws: true, drawing });
    const address = await previewOf(server, page);
    await picture(address);
    await server.store.records.delete(writtenRecord(1).email);
    const [response, gone] = [await fetch(address), await server.get(page, {})];
    expect(response.status).toBe(404);
    expect(await response.text()).toBe(await gone.text());
  });
});

describe("a preview picture", () => {
  test("is drawn once for a hundred who ask at the same time", async () => {
    await using server = await startTestServer({ draws: true, drawing });
    const address = await previewOf(server);
    await picture(await previewOf(server, "/t/empty-1"));
    const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(address)));
    await picture(address);
    expect(new Set(answers.map(({ status }) => status)).has(404)).toBe(false);
    expect(server.previews?.numbers).toEqual({ drawn: 2, failed: 0, refused: 0 });
  });

  test("is drawn for no name that is made up", async () => {
    await using server = await startTestServer({ draws: true });
    const right = new URL(await previewOf(server)).pathname;
    for (const name of ["0.png", "junk", "%00.png", "..png", `${"9".repeat(500)}.png`]) {
      const response = await fetch(`${server.url}/preview/t/everything-1/${name}`, { redirect: "manual" });
      expect(response.status).toBe(302);
      expect(response.headers.get("Location")).toBe(right);
    }
    for (const path of ["t/nowhere/0.png", "p/nowhere/0.png", "x/everything-1/0.png", "t/everything-1"])
      expect((await server.get(`/preview/${path}`, {})).status).toBe(404);
    expect(server.previews?.numbers).toEqual({ drawn: 0, failed: 0, refused: 0 });
    expect(server.drawing.pid).toBeUndefined();
  });

  test("of a tree with another slug by now leads to where it is", async () => {
    await using server = await startTestServer({ draws: true, drawing });
    const before = await previewOf(server);
    const record = JSON.parse(JSON.stringify(await server.record())) as unknown;
    const moved = withValue(record, "linkTrees[0].slug", "elsewhere");
    await server.store.records.save([checkedRecord(moved)]);
    const response = await fetch(before, { redirect: "manual" });
    expect(response.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(new URL(await previewOf(server, "/t/elsewhere")).pathname);
  });

  test("shows the portrait that was uploaded, and fetches none from elsewhere", async () => {
    let asked = 0;
    await using elsewhere = Bun.serve({
      port: 0,
      fetch() {
        asked++;
        return new Response(PORTRAIT);
      },
    });
    await using server = await startTestServer({ draws: true, drawing });
    const portrait = pictureIn(PORTRAIT);
    if (!portrait) throw new Error("no portrait");
    const save = async (value: string) => {
      const record = withValue(writtenRecord(1), "profile.avatarUrl.value", value);
      await server.store.records.save([checkedRecord(record)]);
      return picture(await previewOf(server));
    };
    const foreign = await save(`${elsewhere.url}portrait.jpg`);
    expect(asked).toBe(0);
    const { id } = await server.record();
    await server.store.pictures.put(id, portrait);
    const uploaded = await save(server.url + picturePath(portrait));
    expect(uploaded.length).toBeGreaterThan(foreign.length + 10_000);
    // Named as ours are, and not here.
    expect(await save(`${elsewhere.url}media/${"0".repeat(32)}.jpg`)).toEqual(foreign);
    expect(asked).toBe(0);
  });

  test("is drawn by another process where the first one died", async () => {
    await using server = await startTestServer({ draws: true });
    await picture(await previewOf(server));
    const { pid } = server.drawing;
    if (pid === undefined) throw new Error("nothing draws");
    process.kill(pid, "SIGKILL");
    await until("it to be noticed", () => server.drawing.pid === undefined);
    await picture(await previewOf(server, "/t/everything-2"));
    expect(server.drawing.pid).not.toBe(pid);
    expect(server.previews?.numbers).toMatchObject({ drawn: 2, failed: 0 });
  });

  test("has the portrait that was uploaded also where what draws has died", async () => {
    using folder = new TemporaryFolder();
    const dying = `echo >> "$0"; [ "$(wc -l < "$0")" -gt 1 ] || exit 1; exec "$@"`;
    const drawingCommand = ["/bin/sh", "-c", dying, folder.file("deaths"), ...VITRINE];
    await using server = await startTestServer({ draws: true, drawingCommand });
    const drawn = await pictureWithPortrait(server);
    expect(drawn.length).toBeGreaterThan(100_000);
    expect(server.previews?.numbers).toEqual({ drawn: 1, failed: 0, refused: 0 });
  });

  test("goes without a portrait that is the end of whoever draws it", async () => {
    class Mortal extends DrawingProcess {
      deaths = 0;
      override async draw(request: DrawRequest): Promise<Uint8Array> {
        if (!request.picture) return super.draw(request);
        this.deaths++;
        throw new Error("the process that draws ended");
      }
    }
    using mortal = new Mortal({ command: VITRINE });
    await using server = await startTestServer({ draws: true, drawing: mortal });
    const drawn = await pictureWithPortrait(server);
    expect(drawn.length).toBeWithin(1000, 100_000);
    expect(await picture(await previewOf(server))).toEqual(drawn);
    expect(mortal.deaths).toBe(2);
  });

  test("has the origin that a visitor asked where no other is known, and the page a tag for each", async () => {
    await using server = await startTestServer({ draws: true, drawing });
    const ask = (host: string, more = {}) => server.get("/t/everything-1", { Host: host, ...more });
    const [one, other] = [await ask("one.example"), await ask("other.example:8080")];
    expect(meta(await one.text(), "og:image")).toStartWith("http://one.example/preview/t/everything-1/");
    expect(meta(await other.text(), "og:image")).toStartWith("http://other.example:8080/preview/");
    const tag = one.headers.get("ETag") ?? "";
    expect(tag).not.toBe(other.headers.get("ETag") ?? "");
    expect((await ask("one.example", { "If-None-Match": tag })).status).toBe(304);
    expect((await ask("other.example:8080", { "If-None-Match": tag })).status).toBe(200);
  });
});

describe("a preview picture that cannot be had", () => {
  test("since nothing can be kept is a 503 with words, is not drawn, and pages go on", async () => {
    let isReadOnly = true;
    const wrapWriter = (writer: CountWriter): Pick<CountWriter, "write" | "close"> => ({
      async write(batch) {
        if (isReadOnly) throw new Error("attempt to write a readonly database");
        await writer.write(batch);
      },
      close: () => writer.close(),
    });
    await using server = await startTestServer({ draws: true, drawing, wrapWriter });
    const address = await previewOf(server);
    await server.get("/t/everything-1", PERSON);
    await until("the server to notice", () => server.commits.isFailing);
    const response = await fetch(address);
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("2");
    expect(await response.text()).toContain("Back in a moment");
    expect(server.previews?.numbers).toEqual({ drawn: 0, failed: 0, refused: 1 });
    expect((await server.get("/t/everything-1", PERSON)).status).toBe(200);
    isReadOnly = false;
    await until("the server to notice again", () => !server.commits.isFailing);
    await picture(address);
  });

  test.each([
    ["is not there", ["/nowhere/vitrine"]],
    ["ends at once", ["false"]],
  ])("since the program that draws %s is a 503 too, and is logged", async (_, drawingCommand) => {
    await using server = await startTestServer({ draws: true, drawingCommand });
    const address = await previewOf(server);
    for (const _ of [1, 2, 3]) expect((await fetch(address)).status).toBe(503);
    expect(server.previews?.numbers).toEqual({ drawn: 0, failed: 3, refused: 0 });
    expect(server.logged().map(({ message }) => message)).toContain("a preview picture could not be drawn");
    expect((await server.get("/t/everything-1", {})).status).toBe(200);
  });

  test("since the server stops is no failure, and starts no process", async () => {
    await using server = await startTestServer({ draws: true, drawingCommand: ["sh", "-c", "sleep 60"] });
    const addresses = [await previewOf(server), await previewOf(server, "/p/person-1")];
    const asked = addresses.map((address) => fetch(address));
    await until("one to be drawn", () => server.drawing.pid !== undefined);
    server.drawing[Symbol.dispose]();
    for (const response of await Promise.all(asked)) expect(response.status).toBe(503);
    expect(server.drawing.pid).toBeUndefined();
    expect(server.previews?.numbers).toEqual({ drawn: 0, failed: 0, refused: 0 });
    expect(server.logged().filter(({ level }) => level === "error")).toEqual([]);
  });

  test("since too many wait is a 503, and others are drawn", async () => {
    const linkTrees = Array.from({ length: 40 }, (_, index) => ({
      slug: `tree-${index}`,
      title: `Title ${index}`,
      description: null,
      links: [],
    }));
    await using server = await startTestServer({
      draws: true,
      records: [{ ...writtenRecord(1), linkTrees }],
    });
    const paths = linkTrees.map(({ slug }) => `${server.url}/preview/t/${slug}/any.png`);
    const statuses = (await Promise.all(paths.map((path) => fetch(path)))).map(({ status }) => status);
    expect(new Set(statuses)).toContain(503);
    expect(server.previews?.numbers.refused).toBeGreaterThan(0);
    await picture(paths[0] as string);
  });
});

describe("a server that draws nothing", () => {
  test("names the owner's own picture, and has no other", async () => {
    await using server = await startTestServer();
    for (const page of ["/t/everything-1", "/p/person-1"]) {
      const markup = await (await server.get(page, {})).text();
      expect(meta(markup, "og:image")).toBe("https://person1.example/me.png");
      expect(meta(markup, "twitter:card")).toBe("summary");
      expect((await server.get(`/preview${page}/0.png`, {})).status).toBe(404);
    }
  });
});
