import { describe, expect, test } from "bun:test";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/** Gives the first person's tree another slug, and keeps the tree. */
async function rename(server: TestServer, place: string, slug: string): Promise<void> {
  const record = JSON.parse(JSON.stringify(await server.record())) as unknown;
  await server.store.records.save([checkedRecord(withValue(record, place, slug))]);
}

async function leads(server: TestServer, path: string) {
  const response = await fetch(server.url + path, { redirect: "manual" });
  return [response.status, response.headers.get("Location")];
}

describe("a page whose slug was changed", () => {
  test("is found under the old one, with its links, until somebody else takes it", async () => {
    await using server = await startTestServer();
    await rename(server, "linkTrees[0].slug", "new name");
    const link = (await server.record()).linkTrees[0]?.links[0]?.id ?? "";
    expect(await leads(server, "/t/everything-1")).toEqual([301, "/t/new%20name"]);
    expect(await leads(server, `/t/everything-1/${link}`)).toEqual([301, `/t/new%20name/${link}`]);
    expect(await leads(server, "/t/new%20name/nowhere")).toEqual([404, null]);
    const taken = withValue(writtenRecord(2), "linkTrees[0].slug", "everything-1");
    await server.store.records.save([checkedRecord(taken)]);
    expect(await leads(server, "/t/everything-1")).toEqual([200, null]);
    expect(await leads(server, `/t/everything-1/${link}`)).toEqual([404, null]);
    expect(await server.counts()).toEqual([]);
  });

  test("is not remembered by browsers for good, and not known to the API under the old name", async () => {
    await using server = await startTestServer();
    await rename(server, "linkTrees[0].slug", "new");
    const response = await fetch(`${server.url}/t/everything-1`, { redirect: "manual" });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect((await server.get("/user/linktrees/everything-1")).status).toBe(404);
  });

  test("is found under old names of profiles as well, with their files", async () => {
    await using server = await startTestServer();
    await rename(server, "profile.slug", "ada");
    expect(await leads(server, "/p/person-1")).toEqual([301, "/p/ada"]);
    expect(await leads(server, "/p/person-1.vcf")).toEqual([301, "/p/ada.vcf"]);
    expect(await leads(server, "/p/person-1.json")).toEqual([301, "/p/ada.json"]);
  });

  test("lets pages of any origin follow to its files, and to nothing else", async () => {
    await using server = await startTestServer();
    await rename(server, "profile.slug", "ada");
    const allowed = async (path: string) => {
      const { headers } = await fetch(server.url + path, { redirect: "manual" });
      return [headers.get("Access-Control-Allow-Origin"), headers.get("Cross-Origin-Resource-Policy")];
    };
    for (const path of ["/p/person-1.json", "/p/person-1.vcf", "/p/ADA.json"])
      expect(await allowed(path)).toEqual(["*", "cross-origin"]);
    expect(await allowed("/p/person-1")).toEqual([null, "same-origin"]);
  });
});

describe("a slug in capital letters", () => {
  test("leads to the page in small ones, and a slug that nobody has leads nowhere", async () => {
    await using server = await startTestServer();
    expect(await leads(server, "/t/Everything-1")).toEqual([301, "/t/everything-1"]);
    expect(await leads(server, "/t/EVERYTHING-1/some")).toEqual([301, "/t/everything-1/some"]);
    expect(await leads(server, "/p/PERSON-1")).toEqual([301, "/p/person-1"]);
    expect(await leads(server, "/p/Person-1.vcf")).toEqual([301, "/p/person-1.vcf"]);
    for (const path of ["/t/NOWHERE", "/p/NOWHERE", "/t/nowhere", "/p/nowhere.vcf"])
      expect(await leads(server, path)).toEqual([404, null]);
  });
});
