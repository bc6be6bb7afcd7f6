import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reconcile } from "../../src/records/reconcile.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { unresolvedJobs } from "../../src/records/references.ts";
import { answersOf } from "../support/answers.ts";
import { anyPlainRecord, anyRecord } from "../support/arbitraries.ts";
import { valueAt, withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

const FIRST = Date.parse("2026-04-12T08:30:00.000Z");
const LATER = Date.parse("2026-04-13T08:30:00.000Z");
const [first, later] = ["2026-04-12T08:30:00.000Z", "2026-04-13T08:30:00.000Z"];

function created(written: unknown = writtenRecord(), now = FIRST): UserRecord {
  return reconcile(checkedRecord(written), undefined, now).record;
}

function saved(written: unknown, earlier: UserRecord, now = LATER) {
  return reconcile(checkedRecord(written), earlier, now);
}

/** Every timestamp that the server sets in a record, by its place. */
function serverStamps(record: UserRecord): Record<string, string> {
  return Object.fromEntries([
    ["createdAt", record.createdAt],
    ["updatedAt", record.updatedAt],
    ["profile.updatedAt", record.profile.updatedAt],
    ...record.jobs.flatMap(({ title, createdAt, updatedAt }) => [
      [`job ${title} createdAt`, createdAt],
      [`job ${title} updatedAt`, updatedAt],
    ]),
    ...record.linkTrees.flatMap(({ id, createdAt, updatedAt }) => [
      [`tree ${id} createdAt`, createdAt],
      [`tree ${id} updatedAt`, updatedAt],
    ]),
  ]);
}

/** The places of the timestamps that a save moved. */
function movedStamps(before: UserRecord, after: UserRecord): string[] {
  const earlier = serverStamps(before);
  return Object.entries(serverStamps(after)).flatMap(([place, stamp]) =>
    earlier[place] === stamp ? [] : [place],
  );
}

/** A record of one job (or tree, or tree of links) beside the rest of a person. */
function withJobs(...jobs: object[]) {
  const [job] = writtenRecord().jobs;
  return {
    ...writtenRecord(),
    projects: [],
    jobs: jobs.map((changes) => ({ ...job, id: undefined, ...changes })).map(dropUndefined),
  };
}

function withTrees(...trees: object[]) {
  const [tree] = writtenRecord().linkTrees;
  return { ...writtenRecord(), linkTrees: trees.map((changes) => ({ ...tree, ...changes })) };
}

function withLinks(...links: object[]) {
  return withTrees({ slug: "tree", links });
}

function dropUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}

function linkIds(record: UserRecord): (string | undefined)[] {
  return record.linkTrees[0]?.links.map((link) => link.id) ?? [];
}

describe("a record saved for the first time", () => {
  test("gets ids that differ from each other and need no escaping", () => {
    const record = created(withLinks({ label: "A", url: "https://a.example/" }));
    const ids = [
      record.id,
      ...record.jobs.map((job) => job.id),
      ...record.linkTrees.map((tree) => tree.id),
      ...linkIds(record),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test("gets the time of its creation everywhere", () => {
    expect(new Set(Object.values(serverStamps(created())))).toEqual(new Set([first]));
  });

  test("is a change", () => {
    expect(reconcile(checkedRecord(writtenRecord()), undefined, FIRST).changed).toBe(true);
  });

  test("names its owner in every job", () => {
    const record = created();
    expect(record.jobs.map((job) => job.userId)).toEqual([record.id, record.id]);
  });

  test("keeps the ids and timestamps it came with", () => {
    const stamps = { createdAt: "2020-01-01T00:00:00.000Z", updatedAt: "2021-01-01T00:00:00.000Z" };
    const link = { id: "link-1", label: "Home", url: "https://a.example/" };
    const written = {
      ...withJobs({ id: "job-1", userId: "user-1", ...stamps }),
      ...{ id: "user-1", ...stamps },
      profile: { ...writtenRecord().profile, updatedAt: stamps.updatedAt },
      linkTrees: [{ id: "tree-1", title: "T", slug: "t", links: [link], ...stamps }],
    };
    expect(created(written)).toMatchObject({
      id: "user-1",
      ...stamps,
      profile: { updatedAt: stamps.updatedAt },
      jobs: [{ id: "job-1", userId: "user-1", ...stamps }],
      linkTrees: [{ id: "tree-1", links: [link], ...stamps }],
    });
  });

  test("takes its id from its jobs when it has none itself, as in what /user/full returns", () => {
    const record = created(withJobs({ userId: "user-1" }));
    expect([record.id, record.jobs[0]?.userId]).toEqual(["user-1", "user-1"]);
  });

  test("that was updated before now was created no later than that", () => {
    const { createdAt, updatedAt } = created({ ...writtenRecord(), updatedAt: "2020-01-01" });
    expect([createdAt, updatedAt]).toEqual(["2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.000Z"]);
  });

  test("that was created before now and never updated since is updated now", () => {
    const { createdAt, updatedAt } = created({ ...writtenRecord(), createdAt: "2020-01-01" });
    expect([createdAt, updatedAt]).toEqual(["2020-01-01T00:00:00.000Z", first]);
  });

  test("that is to be created in the future is not updated before that", () => {
    const { createdAt, updatedAt } = created({ ...writtenRecord(), createdAt: "2030-01-01" });
    expect([createdAt, updatedAt]).toEqual(["2030-01-01T00:00:00.000Z", "2030-01-01T00:00:00.000Z"]);
  });
});

describe("a record saved again", () => {
  test("as it is changes nothing, not even a timestamp", () => {
    const record = created();
    const again = saved(writtenRecord(), record);
    expect(again).toEqual({ record, changed: false });
  });

  test("as it was exported changes nothing", () => {
    const record = created();
    expect(saved(structuredClone(record), record)).toEqual({ record, changed: false });
  });

  test("with its dates written in another way changes nothing", () => {
    const record = created();
    const written = withValue(writtenRecord(), "jobs[0].endDate", "2021-06-30T15:00:00Z");
    expect(saved(written, record).changed).toBe(false);
  });

  test("with other timestamps than the stored ones changes nothing", () => {
    const record = created();
    const written = { ...writtenRecord(), createdAt: "2001-01-01", updatedAt: "2002-01-01" };
    expect(saved(written, record)).toEqual({ record, changed: false });
  });

  test("with its jobs in another order changes nothing", () => {
    const record = created();
    const written = { ...writtenRecord(), jobs: writtenRecord().jobs.toReversed() };
    expect(saved(written, record).changed).toBe(false);
  });

  test("under another id of its own keeps the stored one, in its jobs as well", () => {
    const record = created({ ...writtenRecord(), id: "user-1" });
    const { record: after, changed } = saved({ ...writtenRecord(), id: "user-2" }, record);
    expect(changed).toBe(false);
    expect([after.id, ...after.jobs.map((job) => job.userId)]).toEqual(["user-1", "user-1", "user-1"]);
  });

  test("changes nothing whatever the record is", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const record = created(written);
        expect(saved(written, record)).toEqual({ record, changed: false });
        expect(saved(structuredClone(record), record)).toEqual({ record, changed: false });
      }),
      { numRuns: 150 },
    );
  });

  test("changes nothing when two jobs of the same title, company and start differ in being current", () => {
    const written = withJobs(
      { isCurrent: false, description: "Part time." },
      { isCurrent: true, endDate: null, description: "Full time." },
    );
    const record = created(written);
    expect(saved(written, record)).toEqual({ record, changed: false });
  });
});

describe("a job", () => {
  test("with its id is the same job whatever else changed", () => {
    const before = created(withJobs({ id: "job-1" }));
    const { record } = saved(
      withJobs({ id: "job-1", title: "Chief", companyName: "Else", startDate: "2018-01-01" }),
      before,
    );
    expect(record.jobs[0]).toMatchObject({ id: "job-1", createdAt: first, updatedAt: later, title: "Chief" });
  });

  test("without an id is the same job by title, company and start", () => {
    const before = created(withJobs({ description: "Old." }));
    const { record } = saved(withJobs({ description: "New." }), before);
    expect(record.jobs[0]).toMatchObject({
      id: before.jobs[0]?.id,
      createdAt: first,
      updatedAt: later,
      description: "New.",
    });
  });

  test("with an id that is not stored is still the same job by title, company and start", () => {
    const before = created(withJobs({}));
    const { record } = saved(withJobs({ id: "elsewhere" }), before);
    expect(record.jobs[0]?.id).toBe(before.jobs[0]?.id);
  });

  test.each([
    ["title", { title: "Chief" }],
    ["company", { companyName: "Else" }],
    ["start", { startDate: "2018-01-01" }],
  ])("without an id and with another %s is a new job", (_, change) => {
    const before = created(withJobs({}));
    const { record } = saved(withJobs(change), before);
    expect(record.jobs[0]?.id).not.toBe(before.jobs[0]?.id);
    expect(record.jobs[0]).toMatchObject({ createdAt: later, updatedAt: later });
  });

  test("is matched by its id before another is matched by what it looks like", () => {
    const before = created(withJobs({ id: "job-1" }));
    const { record } = saved(withJobs({ description: "Looks like it." }, { id: "job-1" }), before);
    expect(record.jobs.find((job) => job.description === "Built it.")?.id).toBe("job-1");
    expect(record.jobs.find((job) => job.description === "Looks like it.")?.id).not.toBe("job-1");
  });

  test("is matched once: of two that look alike the second is new", () => {
    const before = created(withJobs({}));
    const { record } = saved(withJobs({}, {}), before);
    const ids = record.jobs.map((job) => job.id);
    expect(ids).toContain(before.jobs[0]?.id ?? "");
    expect(new Set(ids).size).toBe(2);
  });

  test("that is new among stored ones keeps the id and timestamps it came with", () => {
    const before = created(withJobs({ id: "job-1" }));
    const stamps = { createdAt: "2020-01-01T00:00:00.000Z", updatedAt: "2021-01-01T00:00:00.000Z" };
    const { record } = saved(withJobs({ id: "job-1" }, { id: "job-2", title: "New", ...stamps }), before);
    expect(record.jobs.find((job) => job.title === "New")).toMatchObject({ id: "job-2", ...stamps });
  });
});

describe("a link tree", () => {
  test("with its id is the same tree under another slug", () => {
    const before = created(withTrees({ id: "tree-1", slug: "old" }));
    const { record } = saved(withTrees({ id: "tree-1", slug: "new" }), before);
    expect(record.linkTrees[0]).toMatchObject({
      id: "tree-1",
      slug: "new",
      createdAt: first,
      updatedAt: later,
    });
  });

  test("without an id is the same tree by its slug", () => {
    const before = created(withTrees({ slug: "tree" }));
    const { record } = saved(withTrees({ slug: "tree", title: "New" }), before);
    expect(record.linkTrees[0]).toMatchObject({
      id: before.linkTrees[0]?.id,
      title: "New",
      createdAt: first,
      updatedAt: later,
    });
  });

  test("without an id and under another slug is a new tree", () => {
    const before = created(withTrees({ slug: "old" }));
    const { record } = saved(withTrees({ slug: "new" }), before);
    expect(record.linkTrees[0]?.id).not.toBe(before.linkTrees[0]?.id);
    expect(record.linkTrees[0]).toMatchObject({ createdAt: later, updatedAt: later });
  });

  test("can give its slug to a new tree and stay the same by its id", () => {
    const before = created(withTrees({ id: "tree-1", slug: "home" }));
    const { record } = saved(withTrees({ slug: "home" }, { id: "tree-1", slug: "old-home" }), before);
    expect(record.linkTrees.map(({ id, slug }) => [slug, id])).toEqual([
      ["old-home", "tree-1"],
      ["home", expect.not.stringMatching(/^tree-1$/)],
    ]);
  });

  test("can exchange its slug with another", () => {
    const before = created(withTrees({ id: "tree-1", slug: "one" }, { id: "tree-2", slug: "two" }));
    const { record } = saved(withTrees({ id: "tree-1", slug: "two" }, { id: "tree-2", slug: "one" }), before);
    expect(record.linkTrees.map(({ id, slug }) => [id, slug])).toEqual([
      ["tree-1", "two"],
      ["tree-2", "one"],
    ]);
  });
});

describe("a link", () => {
  const A = { label: "A", url: "https://a.example/" };
  const B = { label: "B", url: "https://b.example/" };

  test("with its id is the same link whatever else changed", () => {
    const before = created(withLinks({ id: "link-1", ...A }));
    expect(linkIds(saved(withLinks({ id: "link-1", ...B }), before).record)).toEqual(["link-1"]);
  });

  test("without an id is the same link by URL and label, wherever it stands now", () => {
    const before = created(withLinks(A, B));
    expect(linkIds(saved(withLinks(B, A), before).record)).toEqual(linkIds(before).toReversed());
  });

  test("without an id and with another label is the same link by its URL", () => {
    const before = created(withLinks(A));
    expect(linkIds(saved(withLinks({ ...A, label: "Z" }), before).record)).toEqual(linkIds(before));
  });

  test("is matched by URL and label before another is matched by URL alone", () => {
    const before = created(withLinks(A));
    const [renamed, same] = linkIds(saved(withLinks({ ...A, label: "Z" }, A), before).record);
    expect(linkIds(before)).toEqual([same]);
    expect(renamed).not.toBe(same);
  });

  test("without an id and with another URL is a new link", () => {
    const before = created(withLinks(A));
    expect(linkIds(saved(withLinks({ ...A, url: B.url }), before).record)).not.toEqual(linkIds(before));
  });

  test("that stands twice in a tree is two links, each with its own id", () => {
    const before = created(withLinks(A, A));
    expect(new Set(linkIds(before)).size).toBe(2);
    expect(linkIds(saved(withLinks(A, A), before).record)).toEqual(linkIds(before));
  });

  test("stays in the author's order", () => {
    const links = ["c", "a", "b"].map((label) => ({ label, url: `https://${label}.example/` }));
    expect(created(withLinks(...links)).linkTrees[0]?.links.map((link) => link.label)).toEqual([
      "c",
      "a",
      "b",
    ]);
  });
});

describe("a change", () => {
  const trees = writtenRecord().linkTrees.map((tree, index) => ({ ...tree, id: `tree-${index}` }));
  const written = { ...writtenRecord(), linkTrees: trees };

  test.each([
    ["codehostId", 5, []],
    ["email", "else@example.com", []],
    ["profile.isPublic", false, ["profile.updatedAt"]],
    ["profile.slug", "else", ["profile.updatedAt"]],
    ["profile.name.value", "Else", ["profile.updatedAt"]],
    ["profile.name.isPublic", false, ["profile.updatedAt"]],
    ["jobs[0].description", "Else.", ["job Engineer updatedAt"]],
    ["jobs[1].isRemote", false, ["job Lead updatedAt"]],
    ["jobs[0].technologies", [], ["job Engineer updatedAt"]],
    ["projects[0].role", "Else", []],
    ["projects[0].jobId", null, []],
    ["education[0].fieldOfStudy", "Else", []],
    ["linkTrees[0].title", "Else", ["tree tree-0 updatedAt"]],
    ["linkTrees[1].slug", "else", ["tree tree-1 updatedAt"]],
    ["linkTrees[0].links[0].label", "Else", ["tree tree-0 updatedAt"]],
    ["linkTrees[0].links", [], ["tree tree-0 updatedAt"]],
    ["projects", [], []],
    ["education", [], []],
    ["linkTrees", trees.slice(0, 1), []],
  ] as [string, unknown, string[]][])(
    "of %s moves updatedAt of that and of the user, and nothing else",
    (place, value, moved) => {
      const before = created(written);
      const { record, changed } = saved(withValue(written, place, value), before);
      expect(changed).toBe(true);
      expect(movedStamps(before, record)).toEqual(["updatedAt", ...moved]);
      expect(record.updatedAt).toBe(later);
      for (const place of moved) expect(serverStamps(record)[place]).toBe(later);
    },
  );

  test("of the order of links moves updatedAt of their tree", () => {
    const before = created(written);
    const links = written.linkTrees[0]?.links.toReversed();
    const { record } = saved(withValue(written, "linkTrees[0].links", links), before);
    expect(movedStamps(before, record)).toEqual(["updatedAt", "tree tree-0 updatedAt"]);
  });

  test("that adds a job leaves the other jobs as they were", () => {
    const before = created(withJobs({ id: "job-1" }));
    const { record } = saved(withJobs({ id: "job-1" }, { title: "New" }), before);
    expect(record.jobs.find((job) => job.id === "job-1")).toEqual(before.jobs[0]);
    expect(record.updatedAt).toBe(later);
  });

  test("within the same millisecond still moves updatedAt forward", () => {
    const before = created();
    const { record } = saved(withValue(writtenRecord(), "profile.isPublic", false), before, FIRST);
    expect(record.updatedAt).toBe("2026-04-12T08:30:00.001Z");
    expect(record.profile.updatedAt).toBe("2026-04-12T08:30:00.001Z");
  });

  test("under a clock that is behind still moves updatedAt forward", () => {
    const before = created(writtenRecord(), LATER);
    const { record } = saved(withValue(writtenRecord(), "codehostId", 5), before, FIRST);
    expect(record.updatedAt).toBe("2026-04-13T08:30:00.001Z");
  });

  test("to a record of the last millisecond of the year 9999 leaves a timestamp that can be read again", () => {
    const before = created({ ...writtenRecord(), updatedAt: "9999-12-31T23:59:59.999Z" });
    const { record } = saved(withValue(writtenRecord(), "codehostId", 5), before);
    expect(record.updatedAt).toMatch(/^\d{4}-/);
    expect(checkedRecord(structuredClone(record)).updatedAt).toBe(record.updatedAt);
  });

  test("back again is a change as well", () => {
    const before = created();
    const { record: between } = saved(withValue(writtenRecord(), "codehostId", 5), before);
    const { record, changed } = saved(writtenRecord(), between, LATER + 1);
    expect(changed).toBe(true);
    expect(record.codehostId).toBe(before.codehostId);
  });

  test("keeps every id and createdAt, whatever the record is", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const before = created(written);
        const next = { ...written, codehostId: written.codehostId === 1 ? 2 : 1 };
        const { record, changed } = saved(next, before);
        expect(changed).toBe(true);
        const { codehostId: _, ...unchanged } = before;
        expect(record).toEqual({ ...unchanged, codehostId: next.codehostId, updatedAt: record.updatedAt });
        expect(record.updatedAt > before.updatedAt).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a project's job", () => {
  test("is named by the id that the job came with", () => {
    expect(created().projects[0]?.jobId).toBe("job-1-past");
  });

  test("that was stored under another id is named by the stored one", () => {
    const before = created();
    let written = withValue(writtenRecord(), "jobs[0].id", "elsewhere");
    written = withValue(written, "projects[0].jobId", "elsewhere");
    expect(saved(written, before)).toEqual({ record: before, changed: false });
  });

  test("can be named by its stored id when the file has no ids", () => {
    const before = created();
    const jobs = writtenRecord().jobs.map(({ id, ...job }) => job);
    expect(saved({ ...writtenRecord(), jobs }, before)).toEqual({ record: before, changed: false });
  });

  test("that the record does not have is a problem at its place", () => {
    const [project] = writtenRecord().projects;
    const projects = [project, { ...project, jobId: "nobody" }, { ...project, jobId: "job-2-past" }];
    expect(unresolvedJobs(checkedRecord({ ...writtenRecord(), projects }), undefined)).toEqual([
      { place: "projects[1].jobId", message: "names no job of this record" },
      { place: "projects[2].jobId", message: "names no job of this record" },
    ]);
  });

  test("that the record no longer has is a problem", () => {
    const before = created();
    expect(unresolvedJobs(checkedRecord({ ...writtenRecord(), jobs: [] }), before)).toEqual([
      { place: "projects[0].jobId", message: "names no job of this record" },
    ]);
  });

  test("that an earlier version had, and that was replaced by another, is a problem", () => {
    const before = created();
    const written = withValue(withValue(writtenRecord(), "jobs[0].id", "new"), "jobs[0].title", "New");
    expect(unresolvedJobs(checkedRecord(written), before)).toEqual([
      { place: "projects[0].jobId", message: "names no job of this record" },
    ]);
  });

  test("is no problem when it is named by the id the job came with or by the stored one", () => {
    const before = created();
    const elsewhere = withValue(writtenRecord(), "jobs[0].id", "elsewhere");
    for (const jobId of ["elsewhere", "job-1-past", null]) {
      const written = withValue(elsewhere, "projects[0].jobId", jobId);
      expect(unresolvedJobs(checkedRecord(written), before)).toEqual([]);
    }
  });

  test("is found in what /user/full returns, so that it can be imported and changes nothing", () => {
    const before = created();
    const full = answersOf(before).byKind.full.json;
    expect(valueAt(full, "jobs[0].id")).toBeUndefined();
    expect(unresolvedJobs(checkedRecord(full), before)).toEqual([]);
    expect(saved(full, before)).toEqual({ record: before, changed: false });
  });

  test("cannot be found in what /user/full returns by an installation that never had it", () => {
    expect(unresolvedJobs(checkedRecord(answersOf(created()).byKind.full.json), undefined)).toEqual([
      { place: "projects[0].jobId", message: "names no job of this record" },
    ]);
  });
});

describe("what /user/full returns", () => {
  test("changes nothing when it is imported, whatever the record is, if it has nothing for pages alone", () => {
    fc.assert(
      fc.property(anyPlainRecord, (written) => {
        const before = created(written);
        const full = answersOf(before).byKind.full.json;
        expect(unresolvedJobs(checkedRecord(full), before)).toEqual([]);
        expect(saved(full, before)).toEqual({ record: before, changed: false });
      }),
      { numRuns: 100 },
    );
  });
});

describe("whatever record follows whatever other", () => {
  const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

  test("no id is there twice, and every project's job is there", () => {
    fc.assert(
      fc.property(anyRecord, anyRecord, (one, other) => {
        const { record } = saved(other, created(one));
        for (const items of [record.jobs, record.linkTrees, ...record.linkTrees.map(({ links }) => links)])
          expect(new Set(idsOf(items)).size).toBe(items.length);
        for (const { jobId } of record.projects)
          if (jobId !== null) expect(idsOf(record.jobs)).toContain(jobId);
      }),
      { numRuns: 100 },
    );
  });

  test("the time of creation stays, and that of the update never goes back", () => {
    fc.assert(
      fc.property(anyRecord, anyRecord, (one, other) => {
        const before = created(one);
        const { record, changed } = saved(other, before);
        expect(record.createdAt).toBe(before.createdAt);
        expect(record.updatedAt > before.updatedAt).toBe(changed);
        expect(record.profile.updatedAt >= before.profile.updatedAt).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe("the order", () => {
  test("of link trees is oldest first, and the author's among those of one time", () => {
    const record = created(
      withTrees(
        { slug: "now-1" },
        { slug: "newer", createdAt: "2022-01-01" },
        { slug: "now-2" },
        { slug: "oldest", createdAt: "2020-01-01" },
      ),
    );
    expect(record.linkTrees.map((tree) => tree.slug)).toEqual(["oldest", "newer", "now-1", "now-2"]);
  });

  test("of link trees puts a later one last, wherever the author put it", () => {
    const before = created(withTrees({ slug: "one" }, { slug: "two" }));
    const { record } = saved(withTrees({ slug: "new" }, { slug: "one" }, { slug: "two" }), before);
    expect(record.linkTrees.map((tree) => tree.slug)).toEqual(["one", "two", "new"]);
  });

  const dated = [
    { name: "past old", isCurrent: false, startDate: "2010-01-01" },
    { name: "now old", isCurrent: true, startDate: "2012-01-01" },
    { name: "past new", isCurrent: false, startDate: "2020-01-01" },
    { name: "now new", isCurrent: true, startDate: "2020-01-01T00:00:00.001Z" },
    { name: "past new, second", isCurrent: false, startDate: "2020-01-01" },
  ];
  const expected = ["now new", "now old", "past new", "past new, second", "past old"];

  test("of jobs is current ones first, then by start, newest first", () => {
    const jobs = dated.map(({ name, ...dates }) => ({ title: name, endDate: null, ...dates }));
    expect(created(withJobs(...jobs)).jobs.map((job) => job.title)).toEqual(expected);
  });

  test("of projects is current ones first, then by start, newest first", () => {
    const [project] = writtenRecord().projects;
    const projects = dated.map(({ name, ...dates }) => ({ ...project, title: name, ...dates }));
    const record = created({ ...writtenRecord(), projects });
    expect(record.projects.map(({ title }) => title)).toEqual(expected);
  });

  test("of education is current ones first, then by start, newest first", () => {
    const [one] = writtenRecord().education;
    const education = dated.map(({ name, ...dates }) => ({ ...one, institution: name, ...dates }));
    const record = created({ ...writtenRecord(), education });
    expect(record.education.map(({ institution }) => institution)).toEqual(expected);
  });

  test("puts what has no start behind what has one, current or not", () => {
    const [project] = writtenRecord().projects;
    const undated = [
      { title: "past, whenever", isCurrent: false, startDate: null },
      { title: "now, since whenever", isCurrent: true, startDate: null },
    ];
    const projects = [...undated, ...dated.map(({ name, ...dates }) => ({ title: name, ...dates }))].map(
      (dates) => ({ ...project, ...dates }),
    );
    const record = created({ ...writtenRecord(), projects });
    const [newest, oldest, ...past] = expected;
    const inOrder = [newest, oldest, "now, since whenever", ...past, "past, whenever"];
    expect(record.projects.map(({ title }) => title)).toEqual(inOrder as string[]);
  });
});
