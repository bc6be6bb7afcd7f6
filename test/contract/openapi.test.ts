import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import fc from "fast-check";
import packageJson from "../../package.json" with { type: "json" };
import { openApiText } from "../../scripts/openapi.ts";
import { ERRORS, type ErrorBody } from "../../src/contract/errors.ts";
import { OPENAPI_FILE } from "../../src/contract/openapi/file.ts";
import { HEALTH_PATH, READY_PATH, ROUTES } from "../../src/contract/routes.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { SETTINGS } from "../../src/settings.ts";
import { answersOf } from "../support/answers.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { type Answer, type EveryAnswer, provokeEveryAnswer } from "../support/every-answer.ts";
import { at, everyExample, faultsOf, openApi, resolved, text } from "../support/openapi.ts";
import { checkedRecord } from "../support/records.ts";

setDefaultTimeout(60_000);

const REDOCLY = fileURLToPath(new URL("../../node_modules/@redocly/cli/bin/cli.js", import.meta.url));

/** The place of what a route answers with. */
function bodySchemaOf(path: string): readonly string[] {
  const template = path.replace(":slug", "{slug}");
  return ["paths", template, "get", "responses", "200", "content", "application/json", "schema"];
}

describe("the OpenAPI document", () => {
  test("is what the tables of the contract give (else: npm run openapi)", async () => {
    expect(text).toBe(await openApiText());
  });

  test("has exactly the paths that a program asks for, each with its limit", () => {
    const documented = ROUTES.map(({ path }) => path.replace(":slug", "{slug}"));
    expect(Object.keys(openApi.paths ?? {})).toEqual([...documented, HEALTH_PATH, READY_PATH]);
    for (const [index, { limit, summary }] of ROUTES.entries()) {
      const description = String(at(["paths", documented[index] as string, "get", "description"]));
      const setting = limit === "full" ? SETTINGS.limitFull : SETTINGS.limitDefault;
      expect(description).toStartWith(summary);
      expect(description).toContain(`At most ${setting.fallback} requests in any 60 seconds`);
    }
  });

  test("names the version and the licence of the package", () => {
    expect(openApi.info).toMatchObject({
      version: packageJson.version,
      license: { identifier: packageJson.license },
    });
  });

  test("shows every error of the table with its exact body", () => {
    const shown = at(["components", "schemas", "Error", "examples"]) as unknown as readonly ErrorBody[];
    for (const { statusCode, message, error } of Object.values(ERRORS)) {
      const wanted = new RegExp(`^${message.replace("{detail}", ".+")}$`);
      const found = shown.filter((body) => body.statusCode === statusCode && wanted.test(body.message));
      expect(found).not.toBeEmpty();
      for (const body of found) expect(body).toEqual({ statusCode, message: body.message, error });
    }
  });

  test("has no example that its schema does not allow", () => {
    const examples = everyExample();
    // One of each route, one of each error, and some of headers and parameters.
    expect(examples.length).toBeGreaterThan(ROUTES.length + 2 * Object.keys(ERRORS).length);
    for (const { value, schema } of examples)
      expect({ schema, faults: faultsOf(value, schema) }).toEqual({ schema, faults: [] });
  });

  test("allows every answer about any record", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const { record } = reconcile(checkedRecord(written), undefined, Date.now());
        const { byKind, bySlug } = answersOf(record);
        for (const { path, document } of ROUTES) {
          const answers = document === "linktree" ? [...bySlug.values()] : [byKind[document]];
          for (const { json } of answers) expect(faultsOf(json, bodySchemaOf(path))).toEqual([]);
        }
      }),
    );
  });

  test("has schemas that allow nothing but what they name", () => {
    for (const [name, schema] of Object.entries(openApi.components?.schemas ?? {}))
      expect({ name, ...schema }).toMatchObject({
        name,
        type: "object",
        additionalProperties: false,
        required: Object.keys(schema.properties ?? {}),
      });
  });
});

describe("nothing is found in the OpenAPI document", () => {
  test("by Redocly's recommended rules", async () => {
    const lint = Bun.spawn([process.execPath, REDOCLY, "lint", "--format=json", OPENAPI_FILE], {
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [said, log] = await Promise.all([
      new Response(lint.stdout).text(),
      new Response(lint.stderr).text(),
    ]);
    expect({ log, exitCode: await lint.exited }).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(said)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  });

  test("by Spectral's recommended rules", async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [[oas as RulesetDefinition, "recommended"]] });
    expect(await spectral.run(text)).toEqual([]);
  });
});

describe("every answer of the server", () => {
  let asked: EveryAnswer;
  let documented: readonly Answer[];

  beforeAll(async () => {
    asked = await provokeEveryAnswer();
    // OPTIONS is a browser's question about a path, and not a part of the API.
    documented = asked.answers.filter(({ method, path }) => method !== "OPTIONS" && path !== "/nowhere");
  });
  afterAll(() => asked.server[Symbol.asyncDispose]());

  /** The place of an answer in the document. HEAD is answered as GET is. */
  function placeOf({ path, status }: Answer): readonly string[] {
    const template = path.replace(/(?<=^\/user\/linktrees\/).+$/, "{slug}");
    return ["paths", template, "get", "responses", String(status)];
  }

  test("has a status that the document lists for its path, and every listed one was seen", () => {
    const listed = Object.entries(openApi.paths ?? {}).flatMap(([path, { get }]) =>
      Object.keys(get?.responses ?? {}).map((status) => `${path}: ${status}`),
    );
    const seen = documented.map(placeOf).map((place) => `${place[1]}: ${place.at(-1)}`);
    expect([...new Set(seen)].toSorted()).toEqual(listed.toSorted());
  });

  test("has the headers that the document lists, and no other", () => {
    // What every HTTP message may have says nothing about the API.
    const plain = ["content-length", "content-type", "date"];
    for (const answer of documented) {
      const place = [...resolved(placeOf(answer)), "headers"];
      const headers = Object.keys(at(place) ?? {}).map((name) => ({
        name: name.toLowerCase(),
        place: resolved([...place, name]),
      }));
      const { title } = answer;
      const sent = [...answer.headers.keys()].filter((name) => !plain.includes(name));
      const required = headers.filter((header) => at(header.place)?.required).map(({ name }) => name);
      expect({ title, missing: required.filter((name) => !sent.includes(name)) }).toEqual({
        title,
        missing: [],
      });
      for (const name of sent) {
        const header = headers.find((it) => it.name === name);
        expect({ title, name, listed: header !== undefined }).toEqual({ title, name, listed: true });
        const schema = [...(header?.place ?? []), "schema"];
        const value = answer.headers.get(name) ?? "";
        const isNumber = at([...schema, "type"]) === ("integer" as unknown);
        expect({ title, name, value, faults: faultsOf(isNumber ? Number(value) : value, schema) }).toEqual({
          title,
          name,
          value,
          faults: [],
        });
      }
    }
  });

  test("has the body that the document describes, and an error one that it shows", () => {
    for (const answer of documented) {
      const { title, body } = answer;
      const content = [...resolved(placeOf(answer)), "content", "application/json"];
      expect({ title, has: body !== "" }).toEqual({
        title,
        has: answer.method !== "HEAD" && at(content) !== undefined,
      });
      if (body === "") continue;
      expect(answer.headers.get("Content-Type")).toStartWith("application/json");
      const json: unknown = JSON.parse(body);
      expect({ title, faults: faultsOf(json, [...content, "schema"]) }).toEqual({ title, faults: [] });
      if (answer.status < 400) continue;
      const shown = Object.values(at([...content, "examples"]) ?? {}).map(({ value }) => value as unknown);
      expect(shown).toContainEqual(json);
    }
  });
});
