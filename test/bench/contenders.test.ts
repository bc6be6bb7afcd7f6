import { describe, expect, test } from "bun:test";
import { basename, dirname } from "node:path";
import { CONTENDERS, FOLDER } from "../../bench/contenders.ts";
import { filesMatching, readFile } from "../docs/markdown.ts";

const packages = filesMatching("bench/*/*/package.json");

/** The lockfile of a folder, and by which name that is in it: services share the one above them. */
function lockOf(folder: string): [lock: string, name: string] {
  const shared = JSON.parse(readFile("bench/contenders/package.json")) as { workspaces: string[] };
  const name = basename(folder);
  return shared.workspaces.includes(name)
    ? [readFile("bench/contenders/package-lock.json"), name]
    : [readFile(`${folder}/package-lock.json`), ""];
}

describe("the contenders", () => {
  test("have a folder each, but for those that are Vitrine or share one", async () => {
    const folders = new Set(filesMatching("bench/contenders/*/*").map((file) => file.split("/")[2]));
    const names = CONTENDERS.map(({ name }) => name).filter(
      (name) => name !== "vitrine" && name !== "constant-bun-headers",
    );
    expect([...folders].toSorted()).toEqual(names.toSorted());
    expect(FOLDER).toEndWith("bench/contenders");
  });

  test.each(packages)(
    "%s pins every package to one version, in a lockfile that names no registry",
    (file) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(readFile(file));
      for (const version of Object.values({ ...dependencies, ...devDependencies }))
        expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      const [lock, name] = lockOf(dirname(file));
      // What is resolved to a folder is one of ours.
      expect(lock).not.toMatch(/"resolved": "\w+:/);
      expect(JSON.parse(lock).packages[name].dependencies ?? {}).toEqual(dependencies);
    },
  );
});
