import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { axeViolations } from "../support/axe.ts";
import { describeInBrowser } from "../support/browser.ts";
import { run } from "../support/client-package.ts";
import { withValue } from "../support/edit-record.ts";
import { markedRecord, TRACES } from "../support/marked-record.ts";
import { startNeighbour } from "../support/neighbour.ts";
import {
  type BuiltPortfolio,
  buildPortfolio,
  copyPortfolio,
  describePortfolio,
  PORTFOLIO,
  PortfolioBuilder,
  portfolioPath,
  portfolioScript,
} from "../support/portfolio.ts";
import { checkedRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

setDefaultTimeout(300_000);

const SHOWN = [
  "Shown Name",
  "A summary for everybody.",
  "Shown Role",
  "Shown Company",
  "Shown Technology",
  "Work that may be seen.",
  "Shown Project",
  "What it is.",
  "More about it.",
  "Shown School",
  "Cartography",
  "Shown Tree",
  "Shown Link",
];

/** A public record with one entry of everything, and no field that its owner may leave out. */
function bareRecord() {
  return {
    email: "bare@example.com",
    profile: { isPublic: true, slug: "bare" },
    jobs: [
      {
        title: "Gardener",
        companyName: "Allotments",
        startDate: "2020-01-01",
        isCurrent: true,
        isPublic: true,
        isRemote: false,
        technologies: [],
        description: "",
      },
    ],
    projects: [
      {
        title: "A bench",
        shortDescription: "To sit on.",
        technologies: [],
        isCurrent: false,
        isRemote: false,
        isOpenSource: false,
      },
    ],
    linkTrees: [{ title: "Bare Tree", slug: "bare-tree", links: [] }],
    education: [{ institution: "Evening school", studyLevel: "OTHER", isCurrent: true }],
  };
}

/** Builds the site from a server that has this record and is gone afterwards. */
async function build(
  record: { readonly email: string },
  builder?: PortfolioBuilder,
): Promise<BuiltPortfolio & { secrets: string[] }> {
  await using server = await startTestServer({ records: [record] });
  const { key } = await server.key({ email: record.email, view: "public" });
  const site = await buildPortfolio({ url: server.url, key }, builder?.build);
  return Object.assign(site, { secrets: [...TRACES, key, server.url] });
}

async function expectNone(of: readonly string[], site: BuiltPortfolio): Promise<void> {
  const files = await site.files();
  expect(files.map(({ path }) => path)).toContain("index.html");
  for (const secret of of)
    expect(files.filter(({ text }) => text.includes(secret)).map(({ path }) => path)).toEqual([]);
}

await describePortfolio("the portfolio", () => {
  describe("of a public profile", () => {
    const picture = startNeighbour(
      () =>
        new Response('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', {
          headers: { "Content-Type": "image/svg+xml" },
        }),
    );
    let site: Awaited<ReturnType<typeof build>>;
    beforeAll(async () => {
      const record = markedRecord({ picture: `${picture.url}/me.svg` });
      const off = { title: "Turned off", slug: "turned-off", hasPage: false, links: [] };
      const whole = { ...record, linkTrees: [...record.linkTrees, off] };
      site = await build(whole);
    });
    afterAll(async () => {
      await site[Symbol.asyncDispose]();
      await picture[Symbol.asyncDispose]();
    });

    test("holds no private value, no key and no address of the server, in any file", async () => {
      await expectNone(site.secrets, site);
    });

    test("holds no link tree whose page is off", async () => {
      await expectNone(["Turned off", "turned-off"], site);
    });

    test("has no script", async () => {
      const files = await site.files();
      expect(files.filter(({ path }) => /\.m?js$/.test(path))).toEqual([]);
      for (const { text } of files.filter(({ path }) => path.endsWith(".html")))
        expect(text).not.toMatch(/<script/i);
    });

    describeInBrowser("in a browser,", (open) => {
      test("shows all that is public, and asks for nothing but its own files and the picture", async () => {
        await using visitor = await open(site.url);
        const text = await visitor.page.locator("body").innerText();
        for (const value of SHOWN) expect(text).toContain(value);
        expect(await visitor.page.getByRole("heading", { level: 1 }).textContent()).toBe("Shown Name");
        expect(await visitor.page.evaluate("document.images[0].naturalWidth > 0")).toBe(true);
        const elsewhere = visitor.requests.filter((url) => !url.startsWith(site.url));
        expect(elsewhere).toEqual([`${picture.url}/me.svg`]);
        expect(visitor.complaints).toEqual([]);
      });

      for (const scheme of ["light", "dark"] as const) {
        test(`has nothing that axe objects to, and nothing that sticks out, ${scheme}`, async () => {
          await using visitor = await open(site.url, { scheme, bypassPolicy: true });
          for (const width of [320, 390, 768, 1280]) {
            await visitor.page.setViewportSize({ width, height: 800 });
            expect({ width, found: await axeViolations(visitor.page) }).toEqual({ width, found: [] });
            const { scrollWidth, clientWidth } = (await visitor.page.evaluate(
              "(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)",
            )) as { scrollWidth: number; clientWidth: number };
            expect({ width, tooWide: scrollWidth - clientWidth }).toEqual({ width, tooWide: 0 });
          }
        });
      }
    });
  });

  /** Of all sites but the first. */
  const builder = new PortfolioBuilder();
  afterAll(() => builder[Symbol.asyncDispose]());

  describeInBrowser("of a private profile", (open) => {
    test("says that it is private, and nothing else", async () => {
      await using site = await build(markedRecord({ isPublic: false }), builder);
      await expectNone([...site.secrets, ...SHOWN], site);
      await using visitor = await open(site.url);
      expect(await visitor.page.getByRole("heading", { level: 1 }).textContent()).toBe(
        "This profile is private",
      );
      expect(await visitor.page.locator("meta[name=robots]").getAttribute("content")).toContain("noindex");
    });
  });

  describeInBrowser("of somebody who has left out all that may be", (open) => {
    test("is whole, and says nothing in place of it", async () => {
      await using site = await build(bareRecord(), builder);
      await using visitor = await open(site.url, { width: 390, bypassPolicy: true });
      const text = await visitor.page.locator("body").innerText();
      for (const value of ["bare", "Gardener", "Allotments", "A bench", "Evening school", "Bare Tree"])
        expect(text).toContain(value);
      expect(text).not.toMatch(/undefined|null|NaN|Invalid/);
      expect(await visitor.page.locator("a:not([href]), a[href=''], img:not([src])").count()).toBe(0);
      expect(await visitor.page.locator("a[href^=http]").count()).toBe(0);
      expect(await axeViolations(visitor.page)).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    });
  });

  describeInBrowser("of somebody who does not know all dates", (open) => {
    test("says of each entry what is known, and no month twice", async () => {
      const [job] = bareRecord().jobs;
      const [project] = bareRecord().projects;
      const past = { ...job, isCurrent: false };
      const record = {
        ...bareRecord(),
        jobs: [
          job,
          { ...past, startDate: "2019-03-01", endDate: "2019-12-31" },
          { ...past, startDate: "2018-05-01", endDate: "2018-05-31" },
          { ...past, startDate: "2017-05-01", endDate: null },
        ],
        projects: [{ ...project, endDate: "2016-07-01" }, project],
      };
      await using site = await build(record, builder);
      await using visitor = await open(site.url);
      const said = await visitor.page.locator(".period").allInnerTexts();
      expect(said.map((text) => text.replaceAll("\u00a0", " ").trim())).toEqual([
        "Jan 2020 – now",
        "Mar 2019 – Dec 2019",
        "May 2018",
        "May 2017",
        "Jul 2016",
        "now",
      ]);
    });
  });

  describeInBrowser("of somebody whose telephone number has a zero in brackets", (open) => {
    test("leads to the number that is meant, and shows it as it is written", async () => {
      const phone = { isPublic: true, value: "+49 (0)30 1234567" };
      const record = { ...bareRecord(), profile: { ...bareRecord().profile, phone } };
      await using site = await build(record, builder);
      await using visitor = await open(site.url);
      const link = visitor.page.locator("a[href^=tel]");
      expect(await link.getAttribute("href")).toBe("tel:+49301234567");
      expect(await link.textContent()).toBe("+49 (0)30 1234567");
    });
  });

  describeInBrowser("of somebody whose addresses hold signs that HTML has a meaning for", (open) => {
    test("leads to these addresses, and shows the picture that is there", async () => {
      const address = 'https://place.example/?id=1&reg_id=2&words="two"><b>';
      const flagged = { isPublic: true, value: address };
      const [job] = bareRecord().jobs;
      const [project] = bareRecord().projects;
      const [tree] = bareRecord().linkTrees;
      const [school] = bareRecord().education;
      const record = {
        ...bareRecord(),
        profile: { ...bareRecord().profile, avatarUrl: flagged, url: flagged },
        jobs: [{ ...job, companyUrl: address }],
        projects: [{ ...project, repoUrl: address, demoUrl: address }],
        linkTrees: [{ ...tree, links: [{ label: "A link", url: address }] }],
        education: [{ ...school, institutionUrl: address }],
      };
      await using site = await build(record, builder);
      await using visitor = await open(site.url);
      const found = await visitor.page.evaluate(`[
        ...Array.from(document.querySelectorAll("a:not([href^='#'])"), ({ href }) => href),
        ...Array.from(document.querySelectorAll("img"), ({ src }) => src),
        document.querySelector("meta[property='og:image']").content,
      ]`);
      expect(found).toEqual(Array(8).fill(new URL(address).href));
    });
  });

  describeInBrowser("of somebody whose name is empty", (open) => {
    test("has the slug as its title and headline", async () => {
      const name = { isPublic: true, value: " " };
      const record = { ...bareRecord(), profile: { ...bareRecord().profile, name } };
      await using site = await build(record, builder);
      await using visitor = await open(site.url);
      expect(await visitor.page.title()).toBe("bare");
      expect(await visitor.page.getByRole("heading", { level: 1 }).textContent()).toBe("bare");
    });
  });

  describeInBrowser("of somebody who has left texts empty", (open) => {
    test("has no empty headings, no links without words, and the first letter that can be seen", async () => {
      const [job] = bareRecord().jobs;
      const [project] = bareRecord().projects;
      const flagged = (value: string) => ({ isPublic: true, value });
      const record = {
        email: "bare@example.com",
        profile: {
          isPublic: true,
          slug: "bare",
          name: flagged("\u200fדוד"),
          location: flagged(" "),
          summary: flagged("\u00ad"),
          phone: flagged("\u200e"),
        },
        jobs: [{ ...job, title: " ", companyName: "", companyUrl: "https://company.example/" }],
        projects: [{ ...project, title: "", shortDescription: "", demoUrl: "https://demo.example/" }],
        linkTrees: [{ title: "", slug: "bare-tree", links: [{ label: "", url: "https://link.example/" }] }],
        education: [
          {
            institution: "\u200b",
            institutionUrl: "https://school.example/",
            fieldOfStudy: "",
            studyLevel: "OTHER",
            isCurrent: true,
          },
        ],
      };
      await using site = await build(record, builder);
      await using visitor = await open(site.url, { bypassPolicy: true });
      expect(await visitor.page.getByRole("heading", { level: 3 }).allTextContents()).toEqual(["Studies"]);
      const links = await visitor.page.locator("main a").allInnerTexts();
      expect(links.map((text) => text.trim())).toEqual([
        "company.example",
        "Visit",
        "school.example",
        "link.example",
      ]);
      expect(await visitor.page.locator(".location, .summary, .addresses, .lead, .words").count()).toBe(0);
      expect((await visitor.page.locator(".face").innerText()).trim()).toBe("ד");
      expect(await axeViolations(visitor.page)).toEqual([]);
    });
  });

  describeInBrowser("of somebody hostile", (open) => {
    test("runs nothing, and holds its shape", async () => {
      const script = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;
      const long = "W".repeat(100);
      const record = markedRecord();
      const [job, project, tree, entry] = [
        record.jobs[0],
        record.projects[0],
        record.linkTrees[0],
        record.education[0],
      ];
      const hostile = {
        ...record,
        profile: {
          ...record.profile,
          name: { isPublic: true, value: script + long },
          summary: { isPublic: true, value: script + long },
          avatarUrl: { isPublic: true, value: `https://nowhere.invalid/"onerror="alert(3)` },
        },
        jobs: [{ ...job, title: script, companyName: long, technologies: [script], description: script }],
        projects: [{ ...project, title: long, shortDescription: script, role: script, jobId: null }],
        linkTrees: [
          {
            ...tree,
            title: script,
            links: [{ label: long, url: "mailto:%ff@b.example?subject='><script>alert(4)</script>" }],
          },
        ],
        education: [{ ...entry, institution: script, fieldOfStudy: long, description: script }],
      };
      await using site = await build(hostile, builder);
      await using visitor = await open(site.url, { width: 320, bypassPolicy: true });
      expect(visitor.complaints.filter((complaint) => complaint.startsWith("dialog"))).toEqual([]);
      expect(await visitor.page.locator("script").count()).toBe(0);
      expect(
        await visitor.page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        ),
      ).toBe(0);
    });
  });

  test("stays online while `npm run rebuild` fails, and is replaced whole once it succeeds", async () => {
    await using server = await startTestServer({ records: [bareRecord()] });
    const { key } = await server.key({ email: "bare@example.com", view: "public" });
    using copy = await copyPortfolio();
    await Bun.write(`${copy.path}/dist/index.html`, "the site before");
    await Bun.write(`${copy.path}/dist/_astro/before.css`, "");
    const served = () => [...new Bun.Glob("**/*").scanSync({ cwd: `${copy.path}/dist` })];
    const rebuild = (environment: Record<string, string>) =>
      run(["npm", "run", "rebuild"], { cwd: copy.path, env: { VITRINE_URL: server.url, ...environment } });

    await expect(rebuild({ VITRINE_KEY: `${key}x` })).rejects.toThrow("Invalid API Key");
    expect(await Bun.file(`${copy.path}/dist/index.html`).text()).toBe("the site before");
    expect(served().sort()).toEqual(["_astro/before.css", "index.html"]);

    await rebuild({ VITRINE_KEY: key });
    expect(await Bun.file(`${copy.path}/dist/index.html`).text()).toContain("Allotments");
    expect(served()).not.toContain("_astro/before.css");
    expect(served().filter((path) => path.endsWith(".mjs"))).toEqual([]);
  });

  test("has all of its files below a path, where it is built for one", async () => {
    await using server = await startTestServer({ records: [bareRecord()] });
    const { key } = await server.key({ email: "bare@example.com", view: "public" });
    using copy = await copyPortfolio();
    await run([...(await portfolioScript("build")), "--base", "/site"], {
      cwd: copy.path,
      env: { ...portfolioPath(), VITRINE_URL: server.url, VITRINE_KEY: key },
    });
    const page = await Bun.file(`${copy.path}/dist/index.html`).text();
    const loaded = Array.from(page.matchAll(/(?:href="|url\()(\/[^")]+)/g), ([, path = ""]) => path);
    expect(loaded).toContain("/site/favicon.svg");
    expect(loaded.filter((path) => !path.startsWith("/site/"))).toEqual([]);
  });

  test("shows the sample profile with `npm run dev` and nothing set, and leaves nothing behind", async () => {
    using folder = new TemporaryFolder();
    await using dev = await startDev({ TMPDIR: folder.path });
    expect(await (await fetch(dev.url)).text()).toContain("Mira Solberg");
    expect(await dev.stop()).toContain("Showing the sample profile");
    expect(readdirSync(folder.path).filter((name) => name.startsWith("vitrine-portfolio-"))).toEqual([]);
  });

  test("shows with `npm run dev` what the profile is now", async () => {
    await using server = await startTestServer({ records: [bareRecord()] });
    const { key } = await server.key({ email: "bare@example.com", view: "public" });
    await using dev = await startDev({ VITRINE_URL: server.url, VITRINE_KEY: key });
    expect(await (await fetch(dev.url)).text()).toContain("Allotments");
    await server.store.records.save([
      checkedRecord(withValue(bareRecord(), "jobs[0].companyName", "Orchards")),
    ]);
    expect(await (await fetch(dev.url)).text()).toContain("Orchards");
  });
});

/** The example as `npm run dev` shows it, until it is stopped. */
async function startDev(given: Record<string, string>) {
  const { VITRINE_URL, VITRINE_KEY, ...environment } = process.env;
  const child = Bun.spawn([...(await portfolioScript("dev")), "--host", "127.0.0.1"], {
    cwd: PORTFOLIO,
    env: { ...environment, ...portfolioPath(), NO_COLOR: "1", ...given },
    stdout: "pipe",
    stderr: "inherit",
  });
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  const reading = (async () => {
    let output = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += chunk;
      const [, local] = /Local\s+(http:\S+)/.exec(output) ?? [];
      if (local) resolve(local);
    }
    reject(new Error(`it ended without a page to show: ${output}`));
    return output;
  })();
  /** Returns all that it has said. */
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
    return reading;
  };
  return { url: await url, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
