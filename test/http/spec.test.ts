import { describe, expect, test } from "bun:test";
import { RESPONSES } from "../../src/contract/responses.ts";
import { ROUTES, type RouteName } from "../../src/contract/routes.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";
import {
  EDUCATION,
  expectShape,
  FULL_USER,
  JOB,
  LINK_TREE,
  PROJECT,
  PUBLIC_LINKS,
  RESUME,
  type Shape,
} from "../support/shapes.ts";

const SHAPES: Record<RouteName, Shape | readonly [Shape]> = {
  full: FULL_USER,
  linktrees: [LINK_TREE],
  linktree: LINK_TREE,
  links: PUBLIC_LINKS,
  jobs: [JOB],
  projects: [PROJECT],
  education: [EDUCATION],
  resume: RESUME,
};

/** The parts of a record that are lists, and where each is read on its own. */
const LISTS = [
  ["linkTrees", "/user/linktrees"],
  ["jobs", "/user/jobs"],
  ["projects", "/user/projects"],
  ["education", "/user/education"],
] as const;

interface Item {
  readonly [field: string]: unknown;
}

interface Full extends Item {
  readonly profile: Item;
  readonly jobs: readonly Item[];
  readonly projects: readonly Item[];
  readonly linkTrees: readonly (Item & { links: readonly Item[] })[];
  readonly education: readonly Item[];
}

async function read<Body>(server: TestServer, path: string, email?: string): Promise<Body> {
  const { key } = await server.key(email === undefined ? {} : { email });
  const response = await server.get(path, bearer(key));
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

/** A record whose lists hold these entries, each like the first of a whole record but for what is given. */
function recordWith(lists: {
  jobs?: readonly Item[];
  projects?: readonly Item[];
  linkTrees?: readonly Item[];
  education?: readonly Item[];
}) {
  const whole = writtenRecord();
  const like = (template: unknown, items: readonly Item[] = []) =>
    items.map((item) => ({ ...(template as Item), ...item }));
  const { id: _, ...job } = whole.jobs[0] as Item & { id: string };
  return {
    ...whole,
    jobs: like(job, lists.jobs),
    projects: like({ ...whole.projects[0], jobId: null }, lists.projects),
    linkTrees: like(whole.linkTrees[0], lists.linkTrees),
    education: like(whole.education[0], lists.education),
  };
}

const EMPTY_RECORD = recordWith({});

/** A person whose every part says whose it is. */
function markedRecord(number: number) {
  const whole = writtenRecord(number);
  const description = `of person${number}`;
  return {
    ...whole,
    jobs: whole.jobs.map((job) => ({ ...job, description })),
    projects: whole.projects.map((project) => ({ ...project, description })),
    education: whole.education.map((entry) => ({ ...entry, description })),
  };
}

describe.each(ROUTES.map((route) => [route.path, route] as const))("GET %s", (path, route) => {
  const sent = path.replace(":slug", "everything-1");

  test("answers 200 with JSON in UTF-8", async () => {
    await using server = await startTestServer();
    const response = await server.get(sent);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  });

  test("has exactly the fields of the specification, in its order and of its types", async () => {
    await using server = await startTestServer();
    expectShape(await read(server, sent), SHAPES[route.name]);
  });

  test("holds to the published schema", async () => {
    await using server = await startTestServer();
    const body = await read(server, sent);
    expect(RESPONSES[route.document].parse(body) as unknown).toEqual(body);
  });

  test("returns the data of the key's owner and of nobody else", async () => {
    await using server = await startTestServer({ records: [markedRecord(1), markedRecord(2)] });
    for (const [own, other] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const mine = path.replace(":slug", `everything-${own}`);
      const body = JSON.stringify(await read(server, mine, writtenRecord(own).email));
      expect(body).toContain(`person${own}`);
      expect(body).not.toContain(`person${other}`);
    }
  });
});

describe("GET /user/full", () => {
  test("returns a value whether its flag is true or false, and the flag with it", async () => {
    await using server = await startTestServer();
    const { profile } = await read<Full>(server, "/user/full");
    expect(profile.phone).toEqual({ isPublic: false, value: "+1 555 0100" });
    expect(profile.location).toEqual({ isPublic: false, value: "Lisbon" });
    expect(profile.socialnetworkUrl).toEqual({ isPublic: false, value: "https://social.example/person1" });
    expect(profile.name).toEqual({ isPublic: true, value: "Person 1" });
  });

  test("returns everything of a profile that is not public, and of jobs that are not", async () => {
    const whole = writtenRecord();
    const record = {
      ...whole,
      profile: { ...whole.profile, isPublic: false },
      jobs: whole.jobs.map((job) => ({ ...job, isPublic: false })),
    };
    await using server = await startTestServer({ records: [record] });
    const { profile, jobs } = await read<Full>(server, "/user/full");
    expect(profile).toMatchObject({ isPublic: false, phone: { value: "+1 555 0100" } });
    expect(jobs.map((job) => job.isPublic)).toEqual([false, false]);
  });

  test("carries null for a profile value that was never written", async () => {
    const { profile, ...rest } = writtenRecord();
    const record = { ...rest, profile: { isPublic: true, slug: profile.slug } };
    await using server = await startTestServer({ records: [record] });
    const full = await read<Full>(server, "/user/full");
    expectShape(full, FULL_USER);
    expect(full.profile.phone).toEqual({ isPublic: false, value: null });
  });

  test("carries null wherever a record says nothing", async () => {
    const record = recordWith({
      jobs: [{ endDate: null, isCurrent: true }],
      projects: [{ description: null, endDate: null, demoUrl: null, jobId: null }],
      linkTrees: [{ description: null }],
      education: [{ description: null }],
    });
    await using server = await startTestServer({ records: [record] });
    const { jobs, projects, linkTrees, education } = await read<Full>(server, "/user/full");
    expect(jobs[0]).toHaveProperty("endDate", null);
    expect(projects[0]).toMatchObject({ description: null, endDate: null, demoUrl: null, jobId: null });
    expect(linkTrees[0]).toHaveProperty("description", null);
    expect(education[0]).toHaveProperty("description", null);
  });

  test("keeps values where a record has them", async () => {
    const record = recordWith({
      projects: [{ description: "Long.", endDate: "2020-03-03", demoUrl: "https://demo.example/" }],
      linkTrees: [{ description: "All of it." }],
      education: [{ description: "With honours." }],
    });
    await using server = await startTestServer({ records: [record] });
    const { projects, linkTrees, education } = await read<Full>(server, "/user/full");
    expect(projects[0]).toMatchObject({
      description: "Long.",
      endDate: "2020-03-03T00:00:00.000Z",
      demoUrl: "https://demo.example/",
    });
    expect(linkTrees[0]).toHaveProperty("description", "All of it.");
    expect(education[0]).toHaveProperty("description", "With honours.");
  });

  test("writes instants in UTC with milliseconds, whatever offset they came with", async () => {
    await using server = await startTestServer();
    const { jobs } = await read<Full>(server, "/user/full");
    expect(jobs[1]).toMatchObject({
      startDate: "2019-01-01T00:00:00.000Z",
      endDate: "2021-06-30T15:00:00.000Z",
    });
  });

  test("refers from a project to a job by the job's id", async () => {
    await using server = await startTestServer();
    const { projects } = await read<Full>(server, "/user/full");
    expect(projects[0]).toHaveProperty("jobId", "job-1-past");
  });

  test("names the same owner in every job", async () => {
    await using server = await startTestServer();
    const { jobs } = await read<Full>(server, "/user/full");
    const [saved] = await Array.fromAsync(server.store.records.summaries());
    expect(jobs.map((job) => job.userId)).toEqual([saved?.id, saved?.id]);
  });

  test.each(LISTS)("holds the same %s as GET %s returns", async (list, path) => {
    await using server = await startTestServer();
    const full = await read<Full>(server, "/user/full");
    expect(await read<unknown>(server, path)).toEqual(full[list]);
  });

  test("returns text of every script and every plane as it was written", async () => {
    const text = 'Zoë 李明 مرحبا 👩‍👩‍👧 \u{10FFFF} \u0001 "quoted" \\ </script> \u2028 \uFEFF';
    const whole = writtenRecord();
    const record = { ...whole, profile: { ...whole.profile, name: { isPublic: true, value: text } } };
    await using server = await startTestServer({ records: [record] });
    const { profile } = await read<Full>(server, "/user/full");
    expect(profile.name).toEqual({ isPublic: true, value: text });
  });
});

describe("GET /user/links", () => {
  test("returns public addresses, and null for those that are private or unset", async () => {
    await using server = await startTestServer();
    const response = await server.get("/user/links");
    expect(await response.text()).toBe(
      JSON.stringify({
        url: "https://person1.example/",
        codehostUrl: "https://codehost.example/person1",
        socialnetworkUrl: null,
        microblogUrl: null,
        professionalnetworkUrl: null,
        videoUrl: "https://video.example/person1",
      }),
    );
  });

  test("lets no private address through, whichever it is", async () => {
    const whole = writtenRecord();
    const hidden = Object.fromEntries(
      Object.keys(PUBLIC_LINKS).map((field) => [
        field,
        { isPublic: false, value: "https://hidden.example/" },
      ]),
    );
    const record = { ...whole, profile: { ...whole.profile, ...hidden } };
    await using server = await startTestServer({ records: [record] });
    const links = await read<Record<string, string | null>>(server, "/user/links");
    expect(Object.values(links)).toEqual([null, null, null, null, null, null]);
  });

  test("returns every address that is public", async () => {
    const whole = writtenRecord();
    const fields = Object.keys(PUBLIC_LINKS);
    const shown = Object.fromEntries(
      fields.map((field) => [field, { isPublic: true, value: `https://shown.example/${field}` }]),
    );
    const record = { ...whole, profile: { ...whole.profile, ...shown } };
    await using server = await startTestServer({ records: [record] });
    expect(await read<unknown>(server, "/user/links")).toEqual(
      Object.fromEntries(fields.map((field) => [field, `https://shown.example/${field}`])),
    );
  });
});

describe("GET /user/linktrees/:slug", () => {
  test("returns the same as the element of GET /user/linktrees with that slug", async () => {
    await using server = await startTestServer();
    const trees = await read<Item[]>(server, "/user/linktrees");
    expect(trees.map((tree) => tree.slug)).toEqual(["everything-1", "empty-1"]);
    for (const tree of trees)
      expect(await read<unknown>(server, `/user/linktrees/${tree.slug}`)).toEqual(tree);
  });

  test("returns exactly these bytes for a tree that came with ids and timestamps", async () => {
    const tree = {
      id: "tree-1",
      title: "Everything",
      description: null,
      slug: "everything",
      links: [{ id: "link-1", label: "Write — to me", url: "mailto:me@example.com" }],
      createdAt: "2024-01-02T03:04:05+01:00",
      updatedAt: "2024-01-02",
    };
    await using server = await startTestServer({ records: [recordWith({ linkTrees: [tree] })] });
    const response = await server.get("/user/linktrees/everything");
    expect(await response.text()).toBe(
      '{"id":"tree-1","title":"Everything","description":null,"slug":"everything",' +
        '"links":[{"id":"link-1","label":"Write — to me","url":"mailto:me@example.com"}],' +
        '"createdAt":"2024-01-02T02:04:05.000Z","updatedAt":"2024-01-02T00:00:00.000Z"}',
    );
  });

  test("returns a tree of a thousand links whole", async () => {
    const links = Array.from({ length: 1000 }, (_, index) => ({
      label: `Link ${index}`,
      url: `https://person1.example/${index}`,
    }));
    await using server = await startTestServer({ records: [recordWith({ linkTrees: [{ links }] })] });
    const tree = await read<Full["linkTrees"][number]>(server, "/user/linktrees/everything-1");
    expect(tree.links.map(({ label, url }) => ({ label, url }))).toEqual(links);
  });

  test.each([
    ["that nobody uses", "nowhere"],
    ["in another case", "EVERYTHING-1"],
    ["that is only the beginning of one", "everything"],
    ["that is a tree's id", "tree-id"],
    ["that is a profile's", "person-1"],
    ["with white space around it", "%20everything-1%20"],
    ["that could never exist, with a control character", "%00"],
    ["that could never exist, with a slash", "everything-1%2F"],
    ["that could never exist, too long", "a".repeat(4000)],
    ["that means something in SQL", "'%20OR%20'1'='1"],
    ["that means something in a pattern", "everything%25"],
  ])("answers with the 404 of the specification to a slug %s", async (_, slug) => {
    const record = recordWith({ linkTrees: [{ id: "tree-id" }] });
    await using server = await startTestServer({ records: [record] });
    const response = await server.get(`/user/linktrees/${slug}`);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe(
      '{"statusCode":404,"message":"Link tree not found","error":"Not Found"}',
    );
  });

  test("speaks of another user's tree exactly as of one that is not there", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    const answer = async (slug: string) => {
      const response = await server.get(`/user/linktrees/${slug}`, bearer(key));
      const { status, headers } = response;
      for (const name of ["X-Request-Id", "Date", "X-RateLimit-Remaining", "RateLimit"]) headers.delete(name);
      return { status, headers: [...headers], body: await response.text() };
    };
    expect(await answer("everything-2")).toEqual(await answer("nowhere-at-all"));
  });

  test("no longer finds a tree that its owner took out, with the very next request", async () => {
    await using server = await startTestServer();
    expect((await server.get("/user/linktrees/empty-1")).status).toBe(200);
    const whole = writtenRecord();
    await server.store.records.save([checkedRecord({ ...whole, linkTrees: whole.linkTrees.slice(0, 1) })]);
    expect((await server.get("/user/linktrees/empty-1")).status).toBe(404);
  });
});

describe("the order", () => {
  test("of link trees is oldest first, whatever order they were written in", async () => {
    const linkTrees = [
      { slug: "newest", createdAt: "2026-01-01" },
      { slug: "oldest", createdAt: "2020-01-01" },
      { slug: "between", createdAt: "2023-01-01T00:00:00+01:00" },
    ];
    await using server = await startTestServer({ records: [recordWith({ linkTrees })] });
    const trees = await read<Item[]>(server, "/user/linktrees");
    expect(trees.map((tree) => tree.slug)).toEqual(["oldest", "between", "newest"]);
  });

  test("of link trees made at one time is the author's", async () => {
    const linkTrees = ["third", "first", "second"].map((slug) => ({ slug }));
    await using server = await startTestServer({ records: [recordWith({ linkTrees })] });
    const trees = await read<Item[]>(server, "/user/linktrees");
    expect(trees.map((tree) => tree.slug)).toEqual(["third", "first", "second"]);
  });

  test("of links is the author's, the same link twice included", async () => {
    const links = ["b", "a", "c", "a"].map((label) => ({ label, url: "https://person1.example/" }));
    await using server = await startTestServer({ records: [recordWith({ linkTrees: [{ links }] })] });
    const tree = await read<Full["linkTrees"][number]>(server, "/user/linktrees/everything-1");
    expect(tree.links.map((link) => link.label)).toEqual(["b", "a", "c", "a"]);
    expect(new Set(tree.links.map((link) => link.id)).size).toBe(4);
  });

  test.each([
    ["jobs", "title"],
    ["projects", "title"],
    ["education", "institution"],
  ] as const)("of %s is current ones first, then newest first", async (list, field) => {
    const entry = (name: string, isCurrent: boolean, startDate: string) => ({
      [field]: name,
      isCurrent,
      startDate,
      ...(list === "jobs" && isCurrent ? { endDate: null } : {}),
    });
    const entries = [
      entry("past, old", false, "2001-01-01"),
      entry("current, old", true, "2002-01-01"),
      entry("past, new", false, "2024-01-01T00:00:00+14:00"),
      entry("current, new", true, "2020-01-01"),
      entry("past, a little newer", false, "2024-01-01T00:00:00-12:00"),
    ];
    await using server = await startTestServer({ records: [recordWith({ [list]: entries })] });
    const expected = ["current, new", "current, old", "past, a little newer", "past, new", "past, old"];
    const alone = await read<Item[]>(server, `/user/${list}`);
    expect(alone.map((item) => item[field])).toEqual(expected);
    const full = await read<Full>(server, "/user/full");
    expect(full[list].map((item) => item[field])).toEqual(expected);
  });
});

describe("a user with nothing yet", () => {
  test.each(LISTS)("has no %s: GET %s is an array with no elements", async (_, path) => {
    await using server = await startTestServer({ records: [EMPTY_RECORD] });
    const response = await server.get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("[]");
  });

  test("has a full record all the same, with empty lists", async () => {
    await using server = await startTestServer({ records: [EMPTY_RECORD] });
    const full = await read<Full>(server, "/user/full");
    expectShape(full, FULL_USER);
    expect(LISTS.map(([list]) => full[list])).toEqual([[], [], [], []]);
  });
});
