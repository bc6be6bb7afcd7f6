/** What a release answered, and what there was in its database. */
export interface Recorded {
  readonly version: string;
  /** The day on which views and clicks were counted. */
  readonly day: string;
  readonly users: readonly string[];
  readonly keys: readonly RecordedKey[];
  /** What `stats` said of each user, with the days that had something alone. */
  readonly stats: Readonly<Record<string, unknown>>;
}

export interface RecordedKey {
  readonly email: string;
  readonly name: string;
  readonly key: string;
  readonly answers: readonly RecordedAnswer[];
}

interface RecordedAnswer {
  readonly path: string;
  readonly status: number;
  readonly etag: string | null;
  readonly body: string;
}

/** All there is to ask with any key. Earlier releases had less, and were asked for that. */
const PATHS: readonly string[] = [
  "/user/full",
  "/user/links",
  "/user/jobs",
  "/user/projects",
  "/user/education",
  "/user/linktrees",
  "/user/linktrees/mira",
  "/user/linktrees/ada",
  `/user/linktrees/${encodeURIComponent("ünïcode-数学")}`,
  "/user/resume",
];

export async function askEverything(url: string, key: string, paths = PATHS): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const path of paths) {
    const response = await fetch(url + path, { headers: { Authorization: `Bearer ${key}` } });
    const etag = response.headers.get("ETag");
    answers.push({ path, status: response.status, etag, body: await response.text() });
  }
  return answers;
}

/** The same questions as a release was asked. */
export function askAgain(
  url: string,
  key: string,
  answers: readonly RecordedAnswer[],
): Promise<RecordedAnswer[]> {
  return askEverything(
    url,
    key,
    answers.map(({ path }) => path),
  );
}

/** What an answer says, without its tag: another version may make that another way. */
export function said(answers: readonly RecordedAnswer[]): Omit<RecordedAnswer, "etag">[] {
  return answers.map(({ etag, ...answer }) => answer);
}

interface Stats {
  readonly trees: readonly {
    readonly days: readonly { readonly views: number; readonly clicks?: number }[];
  }[];
}

/** The numbers of `stats --json`, without what depends on the day of asking. */
export function numbersOf(json: string): unknown {
  const {
    from: _from,
    to: _to,
    trees,
    ...totals
  } = JSON.parse(json) as Stats & { from?: string; to?: string };
  return {
    ...totals,
    trees: trees.map((tree) => ({
      ...tree,
      days: tree.days.filter(({ views, clicks = 0 }) => views + clicks > 0),
    })),
  };
}
