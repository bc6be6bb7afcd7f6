import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, utimesSync } from "node:fs";
import { unzipSync } from "fflate";
import packageJson from "../../package.json" with { type: "json" };
import { licencesText } from "../../scripts/licences.ts";
import { packTar, packZip } from "../../scripts/release/archive.ts";
import { notesOf } from "../../scripts/release/notes.ts";
import { type Lock, type Sbom, shippedParts } from "../../scripts/release/sbom.ts";
import { TARGETS } from "../../scripts/release/targets.ts";
import { code, firstTable, readFile, sectionOf } from "../docs/markdown.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const TIME = new Date("2026-11-16T00:00:00Z");

describe("the notes of a release", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\nNothing yet.\n\n## 1.10.0\n\n- Ten.\n\n## 1.1.0 (today)\n\n- One.\n";

  test("are what the changelog says of this version, and of no other", () => {
    expect(notesOf(changelog, "1.10.0")).toBe("- Ten.\n");
    expect(notesOf(changelog, "1.1.0")).toBe("- One.\n");
  });

  test("must be there", () => {
    expect(() => notesOf(changelog, "1.1")).toThrow("CHANGELOG.md has no section 1.1");
    expect(() => notesOf("## 2.0.0\n\n## 1.0.0\n\n- One.\n", "2.0.0")).toThrow("says nothing of 2.0.0");
  });

  test("are there for the version that package.json has", () => {
    expect(notesOf(readFile("CHANGELOG.md"), packageJson.version)).toContain("- ");
  });
});

describe("an archive", () => {
  test.each([
    { name: "tar", pack: packTar },
    { name: "zip", pack: packZip },
  ])(
    "($name) is the same of the same files, whenever and under whatever mask they were written",
    async ({ pack }) => {
      const archived: string[] = [];
      for (const day of [1, 2]) {
        using folder = new TemporaryFolder();
        mkdirSync(folder.file("vitrine-1.0.0"));
        for (const name of ["vitrine", "LICENSE", "deploy/.env.example"]) {
          const file = folder.file(`vitrine-1.0.0/${name}`);
          await Bun.write(file, `the text of ${name}`);
          chmodSync(file, 0o755);
          utimesSync(file, day * 86_400, day * 86_400);
        }
        chmodSync(folder.file("vitrine-1.0.0"), day === 1 ? 0o755 : 0o700);
        await pack(folder.file("vitrine-1.0.0"), folder.file("archive"), TIME);
        const bytes = await Bun.file(folder.file("archive")).bytes();
        archived.push(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
        if (pack === packZip)
          expect(Object.keys(unzipSync(bytes))).toEqual([
            "vitrine-1.0.0/LICENSE",
            "vitrine-1.0.0/deploy/.env.example",
            "vitrine-1.0.0/vitrine",
          ]);
      }
      expect(new Set(archived).size).toBe(1);
    },
  );
});

describe("the list of parts", () => {
  const listed = (serialNumber: string, timestamp: string): Sbom => ({
    serialNumber,
    metadata: { timestamp, component: { name: "checkout", type: "library" } },
    components: [
      part("zod", "4.0.0"),
      part("typescript", "7.0.0"),
      part("@oven/bun-linux-x64", "1.0.0"),
      part("bun", "1.0.0"),
    ],
    dependencies: [
      { ref: "vitrine@1.0.0", dependsOn: ["zod@4.0.0", "typescript@7.0.0"] },
      { ref: "zod@4.0.0", dependsOn: [] },
      { ref: "typescript@7.0.0", dependsOn: [] },
    ],
  });
  const lock: Lock = {
    packages: {
      "": {},
      "node_modules/zod": { version: "4.0.0" },
      "node_modules/typescript": { version: "7.0.0", dev: true },
      "node_modules/@oven/bun-linux-x64": { version: "1.0.0" },
      "node_modules/bun": { version: "1.0.0" },
    },
  };
  const vendored = [{ name: "@scalar/api-reference", version: "1.2.3", license: "MIT" }];
  const facts = { lock, vendored, name: "vitrine", time: TIME };
  const sbom = shippedParts(listed("urn:uuid:1", "2026-01-01T00:00:00Z"), facts);

  function part(name: string, version: string) {
    const externalReferences = [{ type: "distribution", url: "https://mirror.example/" }];
    return { "bom-ref": `${name}@${version}`, name, version, externalReferences };
  }

  test("has what is shipped, with the code of others in the repository, and not what only tests need", () => {
    expect(sbom.components.map(({ name }) => name)).toEqual(["zod", "bun", "@scalar/api-reference"]);
    expect(sbom.dependencies).toEqual([
      { ref: "vitrine@1.0.0", dependsOn: ["zod@4.0.0"] },
      { ref: "zod@4.0.0", dependsOn: [] },
    ]);
    expect(sbom.metadata.component).toEqual({ name: "vitrine", type: "application" });
  });

  test("does not say when, or from where, its maker had fetched them", () => {
    expect(shippedParts(listed("urn:uuid:2", "2026-02-02T00:00:00Z"), facts)).toEqual(sbom);
    expect(JSON.stringify(sbom)).not.toContain("mirror.example");
    expect(sbom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });
});

test("the licences of others are those of all that is shipped (else: npm run licences)", () => {
  expect(readFile("THIRD-PARTY-LICENSES")).toBe(licencesText());
});

test("the guide to installing names the archives of the version that package.json has", () => {
  const named = readFile("docs/installing.md").match(/\bvitrine-\d+\.\d+\.\d+/g);
  expect(new Set(named)).toEqual(new Set([`vitrine-${packageJson.version}`]));
});

test("the documentation lists exactly the systems that a release has an executable for", () => {
  const rows = firstTable(sectionOf(readFile("docs/installing.md"), "One file"));
  expect(rows.map((row) => code(row.Archive ?? ""))).toEqual(TARGETS.map(({ name }) => name));
});
