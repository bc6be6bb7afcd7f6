import { describe, expect, test } from "bun:test";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { ApiError } from "../../src/contract/errors.ts";
import { fileVariable, readSettings, SETTINGS, type SettingName } from "../../src/settings.ts";
import { fencesOf, filesMatching, readFile, sectionOf } from "../docs/markdown.ts";
import { withoutTool } from "../support/missing-tool.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

/** The compose specification's own schema, as a linter of such files brings it along. */
const SCHEMA = JSON.parse(readFile("node_modules/dclint/schemas/compose.schema.json")) as object;

const EXAMPLE = readFile("deploy/.env.example");

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

interface Composition {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: { readonly caddyfile: { readonly content: string } };
}

/** As compose fills in variables: with their value, or else with the default that stands beside their name. */
function filledIn(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, other?: string) => {
    const value = variables[name];
    if (value) return value;
    if (kind === "?") throw new Error(`${name} is missing: ${other}`);
    return other ?? "";
  });
}

function compositionOf(text: string): Composition {
  return parse(filledIn(text, { LINKS_DOMAIN: "links.example", STUDIO_DOMAIN: "studio.example" }), {
    merge: true,
  }) as Composition;
}

/** What nobody need set there: the image or the file decides it, or it has no use on one SQLite database. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  "deploy/compose.yaml": [
    "DATABASE_URL",
    "DATABASE_READ_URL",
    "DATABASE_POOL_SIZE",
    "PORT",
    "HOST",
    "REDIS_URL",
    "WORKERS",
    "SHUTDOWN_DELAY",
    "STUDIO_PORT",
  ],
  "deploy/compose.scale.yaml": ["DATABASE_READ_URL", "PORT", "HOST", "WORKERS", "STUDIO_PORT"],
};

const named = [...EXAMPLE.matchAll(/^(\w+)=/gm)].map((match) => match[1] ?? "");

describe.each(["deploy/compose.yaml", "deploy/compose.scale.yaml"])("%s", (file) => {
  const text = readFile(file);
  const composition = compositionOf(text);
  const own = Object.entries(composition.services).filter(([, { image }]) => image.includes("vitrine"));

  test("is valid by the schema of the compose specification", () => {
    const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
    const isValid = ajv.compile({ ...SCHEMA, $schema: "http://json-schema.org/draft-07/schema#" });
    expect([isValid(composition), isValid.errors]).toEqual([true, null]);
  });

  test("takes no variable that the example does not explain", () => {
    const taken = [...text.matchAll(/\$\{(\w+)/g)].map((match) => match[1] ?? "");
    expect(taken.filter((name) => !named.includes(name))).toEqual([]);
  });

  test("lets every other setting be set", () => {
    const set = own.flatMap(([, { environment = {} }]) => Object.keys(environment));
    const variables = Object.values(SETTINGS).map(({ variable }) => variable);
    expect(variables.filter((name) => !set.includes(name))).toEqual([...(LEFT_OUT[file] ?? [])]);
  });

  test("says nothing to Vitrine that it does not know, or could not use", () => {
    const settings = Object.entries(SETTINGS) as [SettingName, { variable: string; isSecret?: true }][];
    for (const [, { environment = {} }] of own) {
      for (const [variable, value] of Object.entries(environment)) {
        const setting = settings.find(
          ([, it]) => it.variable === variable || (it.isSecret && fileVariable(it.variable) === variable),
        );
        expect(setting, variable).toBeDefined();
        if (setting && setting[1].variable === variable)
          expect(() => readSettings([setting[0]], {}, { [variable]: value })).not.toThrow();
      }
    }
  });

  test("names secrets by files where it has some, beside an emptied variable of the image", async () => {
    using folder = new TemporaryFolder();
    await Bun.write(folder.file("database-url"), "postgres://vitrine:secret@postgres:5432/vitrine");
    const settings = own.map(([, { environment = {} }]) => environment);
    const withFile = settings.filter((it) => it.DATABASE_URL_FILE);
    expect(withFile.length).toBe(file.includes("scale") ? own.length : 0);
    for (const environment of withFile) {
      const filled = { ...environment, DATABASE_URL_FILE: folder.file("database-url") };
      expect(readSettings(["database"], {}, filled).database).toMatchObject({ engine: "postgres" });
    }
  });

  test("gives no container of Vitrine more than it needs", () => {
    expect(own.length).toBeGreaterThan(1);
    for (const [, service] of own) expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  });

  const caddy = Bun.which("caddy");
  if (!caddy) withoutTool("has a file for Caddy that it understands", "caddy is not there", () => {});
  else
    test("has a file for Caddy that it understands, and that refuses methods as the program does", async () => {
      const { content } = composition.configs.caddyfile;
      expect(content).toContain(JSON.stringify(new ApiError("method_not_allowed").body));
      using folder = new TemporaryFolder();
      await Bun.write(folder.file("Caddyfile"), content);
      const { exitCode, stderr } = Bun.spawnSync(
        [caddy, "validate", "--adapter", "caddyfile", "--config", folder.file("Caddyfile")],
        { env: { HOME: folder.path } },
      );
      expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""]);
    });
});

describe("deploy/.env.example", () => {
  test("names only what one of the files takes, each once", () => {
    const files = filesMatching("deploy/*.yaml").map(readFile).join("\n");
    expect(named.filter((name) => !files.includes(`\${${name}`))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  test("explains every variable, and says its default where the program has one", () => {
    for (const block of EXAMPLE.split("\n\n").filter((it) => it.includes("="))) {
      expect(block).toMatch(/^# \S/);
      const variable = /^(\w+)=/m.exec(block)?.[1];
      const setting = Object.values(SETTINGS).find((it) => it.variable === variable);
      if (setting?.fallback && variable !== "SHUTDOWN_DELAY")
        expect(block).toContain(`Default: ${setting.fallback}`);
    }
  });
});

test("the guide shows how to start both", () => {
  const shown = fencesOf(sectionOf(readFile("docs/operations.md"), "Containers"), "sh").join("\n");
  expect(shown).toContain("compose up");
  expect(shown).toContain("-f compose.scale.yaml");
});
