import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import packageJson from "../../package.json" with { type: "json" };
import { openApiText } from "../../scripts/openapi.ts";
import { VIEWS } from "../../src/contract/access.ts";
import { ERRORS, type ErrorBody } from "../../src/contract/errors.ts";
import { OPENAPI_FILE } from "../../src/contract/openapi/file.ts";
import { asVersion30 } from "../../src/contract/openapi/version-3-0.ts";
import { HEALTH_PATH, READY_PATH, ROUTES } from "../../src/contract/routes.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { SETTINGS } from "../../src/settings.ts";
import { answersOf } from "../support/answers.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { withValue } from "../support/edit-record.ts";
import { type Answer, type EveryAnswer, provokeEveryAnswer } from "../support/every-answer.ts";
import { at, everyExample, faultsOf, type Node, openApi, resolved, text } from "../support/openapi.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

setDefaultTimeout(300_000);

const REDOCLY = fileURLToPath(new URL("../../node_modules/@redocly/cli/bin/cli.js", import.meta.url));

/** The place of what a route answers with. */
function bodySchemaOf(path: string): readonly string[] {
  const template = path.replace(":slug", "{slug}");
  return ["paths", template, "get", "responses", "200", "content", "application/json", "schema"];
}

/** What an answer has only where it matters (that readiness is limited), or where its owner has it. */
const ONLY_SOMETIMES: Readonly<Record<string, readonly string[]>> = {
  Readiness: ["counting"],
  FullUser: ["codehostId"],
  Job: ["companyUrl", "listingId"],
  Project: ["role", "startDate", "repoUrl"],
  Education: ["institutionUrl", "fieldOfStudy", "startDate", "endDate"],
};

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

  test("shows every error of a path with its exact body, each at its own status", () => {
    const shown = Object.entries(openApi.paths ?? {}).flatMap(([path, { get }]) =>
      Object.keys(get?.responses ?? {}).flatMap((status) => {
        const place = resolved(["paths", path, "get", "responses", status]);
        const examples = at([...place, "content", "application/json", "examples"]) ?? {};
        const bodies = Object.values(examples).map(({ value }) => value as unknown as ErrorBody);
        return Number(status) < 400 ? [] : bodies.map((body) => ({ status: Number(status), body }));
      }),
    );
    for (const { status, body } of shown) expect(body.statusCode).toBe(status);
    const { unknown_path: _, foreign_origin: __, ...ofPaths } = ERRORS;
    for (const { statusCode, message, error } of Object.values(ofPaths)) {
      const wanted = new RegExp(`^${message.replace("{detail}", ".+")}$`);
      const found = shown.filter(({ status, body }) => status === statusCode && wanted.test(body.message));
      expect(found).not.toBeEmpty();
      for (const { body } of found) expect(body).toEqual({ statusCode, message: body.message, error });
    }
  });

  test("has no example in a schema, which a mock server would show for every status", () => {
    for (const [name, schema] of Object.entries(openApi.components?.schemas ?? {}))
      expect({ name, has: "examples" in schema || "example" in schema }).toEqual({ name, has: false });
  });

  test("has HEAD beside every GET, with the same answers but for their bodies", () => {
    for (const [path, { get, head }] of Object.entries(openApi.paths ?? {})) {
      const { operationId, responses = {}, ...rest } = head ?? {};
      expect({ ...get, ...rest }).toEqual({ ...get, "x-scalar-ignore": true } as never);
      expect(String(operationId)).toMatch(/^head[A-Z]/);
      expect(Object.keys(responses)).toEqual(Object.keys(get?.responses ?? {}));
      for (const status of Object.keys(responses)) {
        const [answer, bare] = ["get", "head"].map((method) =>
          at(resolved(["paths", path, method, "responses", status])),
        );
        const { content: _, ...withoutBody } = answer ?? {};
        expect(bare).toEqual(withoutBody);
      }
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
        for (const view of VIEWS) {
          const { byKind, bySlug } = answersOf(record, view);
          for (const { path, document } of ROUTES) {
            const answers = document === "linktree" ? [...bySlug.values()] : [byKind[document]];
            for (const { json } of answers) expect(faultsOf(json, bodySchemaOf(path))).toEqual([]);
          }
        }
      }),
    );
  });

  test("says of every instant that it is one", () => {
    for (const [name, { properties }] of Object.entries(openApi.components?.schemas ?? {})) {
      if (name === "Resume") continue;
      for (const [property, schema] of Object.entries(properties ?? {})) {
        const isInstant = /^(?:created|updated)At$|Date$/.test(property);
        expect([name, property, schema.format]).toEqual([
          name,
          property,
          isInstant ? "date-time" : undefined,
        ] as never);
      }
    }
  });

  test("promises the private jobs of a user to no key of the public view", () => {
    const { description } = openApi.components?.schemas?.Job?.properties?.isPublic ?? {};
    expect(description).toEndWith("A key of the full view gets it either way.");
  });

  // Browsers go to such an address and mail reaches such a person, but by RFC 3986 and RFC 5321 neither is one.
  test("says of no URL and e-mail address that its owner wrote more than holds", () => {
    const formats = addFormats(new Ajv());
    const url = "https://bücher.example/ä|b";
    const email = "zoë@bücher.example";
    expect(formats.validate({ type: "string", format: "uri" }, url)).toBe(false);
    expect(formats.validate({ type: "string", format: "email" }, email)).toBe(false);
    const written = withValue({ ...writtenRecord(), email }, "profile.url.value", url);
    const { record } = reconcile(checkedRecord(written), undefined, Date.now());
    const { full, resume } = answersOf(record).byKind;
    expect(full.json).toMatchObject({ email, profile: { url: { value: url } } });
    expect(faultsOf(full.json, bodySchemaOf("/user/full"))).toEqual([]);
    expect(resume.json).toMatchObject({ basics: { url: "https://xn--bcher-kva.example/%C3%A4%7Cb" } });
    expect(faultsOf(resume.json, bodySchemaOf("/user/resume"))).toEqual([]);
  });

  test("allows the résumé of an owner with an address that browsers take, and no standard allows", () => {
    const url = "https://{name}.example/";
    const written = withValue(writtenRecord(), "profile.url.value", url);
    const { resume } = answersOf(reconcile(checkedRecord(written), undefined, Date.now()).record).byKind;
    expect(resume.json).toMatchObject({ basics: { url } });
    expect(faultsOf(resume.json, bodySchemaOf("/user/resume"))).toEqual([]);
  });

  test("has schemas that allow nothing but what they name", () => {
    for (const [name, schema] of Object.entries(openApi.components?.schemas ?? {}))
      expect({ name, ...schema }).toMatchObject({
        name,
        type: "object",
        additionalProperties: false,
        required: Object.keys(schema.properties ?? {}).filter(
          (property) => !ONLY_SOMETIMES[name]?.includes(property),
        ),
      });
  });
});

describe("nothing is found in the OpenAPI document, nor in the one of version 3.0,", () => {
  const older = asVersion30(openApi);

  test("by Redocly's recommended rules", async () => {
    using folder = new TemporaryFolder();
    const olderFile = folder.file("openapi-3.0.json");
    await Bun.write(olderFile, JSON.stringify(older));
    const lint = Bun.spawn([process.execPath, REDOCLY, "lint", "--format=json", OPENAPI_FILE, olderFile], {
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [said, log] = await Promise.all([
      new Response(lint.stdout).text(),
      new Response(lint.stderr).text(),
    ]);
    expect({ log, exitCode: await lint.exited }).toMatchObject({ exitCode: 0 });
    // One report for each document, one behind the other.
    const reports = said.trim().split(/(?<=^\})(?=\{)/m);
    expect(reports).toHaveLength(2);
    for (const report of reports)
      expect(JSON.parse(report)).toMatchObject({
        totals: { errors: 0, warnings: 0, ignored: 0 },
        problems: [],
      });
  });

  test("by Spectral's recommended rules", async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [[oas as RulesetDefinition, "recommended"]] });
    expect(await spectral.run(text)).toEqual([]);
    expect(await spectral.run(JSON.stringify(older))).toEqual([]);
  });
});

test("the document of version 3.0 has the same paths and answers in older words", () => {
  const older = asVersion30(openApi) as unknown as Node;
  expect(older.openapi as unknown).toBe("3.0.4");
  expect(Object.keys(older.paths ?? {})).toEqual(Object.keys(openApi.paths ?? {}));
  expect(Object.keys(older.components?.schemas ?? {})).toEqual(
    Object.keys(openApi.components?.schemas ?? {}),
  );
  expect(JSON.stringify(older)).not.toMatch(/"type":\[|"const":|"identifier":/);
  expect(older.components?.schemas?.DataField?.properties?.value as unknown).toMatchObject({
    type: "string",
    nullable: true,
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

  /** The headers that the document lists for an answer, each with the place of what it says of them. */
  function listedHeaders(answer: Answer) {
    const place = [...resolved(placeOf(answer)), "headers"];
    return Object.keys(at(place) ?? {}).map((name) => ({
      name: name.toLowerCase(),
      place: resolved([...place, name]),
    }));
  }

  test("has the headers that the document lists, and no other", () => {
    // What every HTTP message may have says nothing about the API.
    const plain = ["content-length", "content-type", "date"];
    for (const answer of documented) {
      const headers = listedHeaders(answer);
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

  test("has every header that the document requires, also where an address is refused for wrong keys", async () => {
    await using server = await startTestServer({ limitFailed: 1 });
    await server.get("/user/full", {});
    const { status, headers } = await server.get("/user/full", {});
    expect(status).toBe(429);
    const refused: Answer = { title: "", method: "GET", path: "/user/full", status, headers, body: "" };
    const required = listedHeaders(refused).filter(({ place }) => at(place)?.required);
    expect(required.map(({ name }) => name).filter((name) => !headers.has(name))).toEqual([]);
    expect(required.map(({ name }) => name)).toContain("retry-after");
  });

  test("has the caller's own request id, of all that the document says it may be made of", async () => {
    const { description } = openApi.components?.parameters?.requestId ?? {};
    const marks = [...String(description).matchAll(/`(.)`/g)].map(([, mark]) => mark);
    expect(marks.toSorted()).toEqual(["-", ".", "_"]);
    const given = `aZ09${marks.join("")}`;
    const { headers } = await asked.server.get("/healthz", { "X-Request-Id": given });
    expect(headers.get("X-Request-Id")).toBe(given);
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
