import { expect, setDefaultTimeout, test } from "bun:test";
import { SESSION_HEADER, type StoredRecord } from "../../src/studio/contract.ts";
import { withValue } from "../support/edit-record.ts";
import { describeWithEachStudioProxy } from "../support/proxies.ts";
import { startTestStudio } from "../support/studio.ts";

setDefaultTimeout(300_000);

const STUDIO_URL = "https://studio.example";
const OWN = { Host: "studio.example", Origin: STUDIO_URL };

describeWithEachStudioProxy("a studio behind it", (start) => {
  test("lets an owner in and save, and says in its own words what is too large", async () => {
    await using studio = await startTestStudio({ studioUrl: STUDIO_URL });
    await using proxy = await start(studio.socketUrl);
    const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
      fetch(proxy.url + path, {
        ...init,
        headers: { ...OWN, ...init.headers },
        tls: { rejectUnauthorized: false },
      });
    const json = { "Content-Type": "application/json" };
    expect(await (await ask("/")).text()).toContain("Vitrine studio");
    expect((await ask("/", { headers: { Host: "evil.example" } })).status).toBe(421);

    const secret = (await studio.invitation()).split("=")[1];
    const entered = await ask("/api/invitations/take", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ secret }),
    });
    expect(entered.status).toBe(200);
    const [cookie = ""] = entered.headers.getSetCookie();
    expect(cookie).toStartWith("__Host-");
    const { session } = (await entered.json()) as { session: string };
    const as = { Cookie: cookie.split(";")[0] ?? "", [SESSION_HEADER]: session };

    const path = `/api/users/${(await studio.record()).id}/record`;
    const stored = (await (await ask(path, { headers: as })).json()) as StoredRecord;
    const body = (title: string) =>
      JSON.stringify({ ...stored, record: withValue(stored.record, "linkTrees[0].title", title) });
    const save = (title: string) =>
      ask(path, { method: "PUT", headers: { ...as, ...json }, body: body(title) });
    expect((await save("Behind a proxy")).status).toBe(200);
    expect((await studio.record()).linkTrees[0]?.title).toBe("Behind a proxy");
    const large = await save("x".repeat(5_000_000));
    expect([large.status, await large.json()]).toMatchObject([413, { fault: "too-large" }]);
  });

  test("is reached at another port than that of the web", async () => {
    await using studio = await startTestStudio({ studioUrl: `${STUDIO_URL}:8443` });
    await using proxy = await start(studio.socketUrl);
    const opened = await fetch(proxy.url, {
      headers: { Host: "studio.example:8443" },
      tls: { rejectUnauthorized: false },
    });
    expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining("Vitrine studio")]);
  });
});
