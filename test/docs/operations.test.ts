import { describe, expect, test } from "bun:test";
import { ApiError } from "../../src/contract/errors.ts";
import { ALLOWED_METHODS, READY_PATH } from "../../src/contract/routes.ts";
import { MAX_WAIT_MS } from "../../src/limits/shared-limiter.ts";
import { LAST_MOMENT_MS, MAX_WAITING_BYTES } from "../../src/logging/patient-output.ts";
import { METRICS } from "../../src/metrics/metrics.ts";
import { MOST_WAITING, PATIENCE_MS } from "../../src/serving/previews.ts";
import { fileVariable, SETTINGS } from "../../src/settings.ts";
import { MAX_WAIT_MS as MAX_READ_WAIT_MS } from "../../src/store/postgres/read-pool.ts";
import { MAX_WAIT_MS as MAX_COMMIT_WAIT_MS, MAX_ENTRIES, STOP_MS } from "../../src/tracking/group-commit.ts";
import { code, fencesOf, filesMatching, firstTable, readFile, sectionOf } from "./markdown.ts";

const page = readFile("docs/operations.md");

describe("docs/operations.md", () => {
  test("lists exactly the settings, with their variables and defaults", () => {
    const rows = firstTable(sectionOf(page, "Settings")).map((row) =>
      [row.Flag, row.Variable, row.Default].map((cell) => code(cell ?? "")),
    );
    expect(rows).toEqual(
      Object.values(SETTINGS).map(({ flag, variable, fallback }) => [flag, variable, fallback || "none"]),
    );
  });

  test("lists exactly the variables that name a file with a secret", () => {
    const named = sectionOf(page, "Secrets in files")
      .match(/`[A-Z_]+_FILE`/g)
      ?.map(code);
    const secrets = Object.values<{ variable: string; isSecret?: true }>(SETTINGS).filter(
      (it) => it.isSecret,
    );
    const variables = [...secrets.map(({ variable }) => variable), "VITRINE_KEY"];
    expect(named).toEqual(variables.map(fileVariable));
  });

  test("lists exactly the metrics, with their types, labels and meaning", () => {
    const rows = firstTable(sectionOf(page, "Metrics")).map((row) => ({
      name: code(row.Metric ?? ""),
      type: row.Type,
      labels: [...(row.Labels ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1]),
      help: row["What it is"],
    }));
    expect(rows).toEqual(
      Object.entries(METRICS).map(([name, { type, labels, help }]) => ({
        name,
        type,
        labels: [...labels],
        help,
      })),
    );
  });

  test("names no metric that is not there, in its alerts or anywhere", () => {
    // The last is the volume of compose.yaml, as Docker calls it.
    const known = [...Object.keys(METRICS), "vitrine_data"];
    const named = page.match(/\b(?:vitrine|process)_\w+/g) ?? [];
    const missing = named.filter((name) => !known.includes(name.replace(/_(?:bucket|sum|count)$/, "")));
    expect(missing).toEqual([]);
  });

  test("quotes only lines of the log that the program writes", () => {
    const source = filesMatching("src/**/*.ts").map(readFile).join("\n");
    const quoted = firstTable(sectionOf(page, "When something fails"))
      .map((row) => row["What the log says"] ?? "")
      .filter((cell) => cell.startsWith("`"));
    expect(quoted.length).toBeGreaterThan(5);
    for (const cell of quoted) expect(source).toContain(`"${code(cell)}"`);
  });

  test("gives the bounds that the program has", () => {
    const section = sectionOf(page, "When something fails");
    expect(section).toContain(`at most ${MAX_WAIT_MS} ms each process counts by itself`);
    expect(section).toContain(`after at most ${MAX_COMMIT_WAIT_MS} ms`);
    expect(section).toContain(`wait for up to ${MAX_READ_WAIT_MS} ms`);
    expect(section).toContain(`restarted in less than ${MAX_READ_WAIT_MS} ms`);
    expect(section).toContain(`Up to ${MAX_WAITING_BYTES / 2 ** 20} MB of lines waits`);
    expect(sectionOf(page, "Logs")).toContain(`up to ${MAX_WAITING_BYTES / 2 ** 20} MB in each process`);
    expect([LAST_MOMENT_MS, sectionOf(page, "Logs")]).toEqual([
      1000,
      expect.stringContaining("gives its log one second"),
    ]);
    expect(section).toContain(`longer than ${PATIENCE_MS / 1000} seconds`);
    expect(section).toContain(`${MOST_WAITING} others are under way`);
    expect(section).toContain(`${MAX_ENTRIES.toLocaleString("en")} counters wait`);
  });

  test("shows the files of the proxies as they are", () => {
    const shown = [
      ...fencesOf(sectionOf(page, "One machine"), "text"),
      ...fencesOf(sectionOf(page, "Load balancer"), "text"),
      ...fencesOf(sectionOf(readFile("docs/studio.md"), "Behind a proxy"), "text"),
    ];
    const files = filesMatching("deploy/{caddy,haproxy,nginx}/*").map(readFile);
    expect(shown.toSorted()).toEqual(files.toSorted());
    expect(STOP_MS).toBe(10_000);
  });

  test("has every load balancer ask the path that says whether an instance is ready", () => {
    const [haproxy = "", caddy = ""] = fencesOf(sectionOf(page, "Load balancer"), "text");
    expect(haproxy).toContain(`GET uri ${READY_PATH} `);
    expect(caddy).toContain(`health_uri ${READY_PATH}\n`);
  });

  test("has every load balancer refuse methods as the program does", () => {
    const { body } = new ApiError("method_not_allowed");
    const balancers = fencesOf(sectionOf(page, "Load balancer"), "text");
    expect(balancers).toHaveLength(3);
    for (const balancer of balancers) {
      expect(balancer).toContain(JSON.stringify(body));
      expect(balancer).toContain(`Allow "${ALLOWED_METHODS}"`);
    }
  });
});
