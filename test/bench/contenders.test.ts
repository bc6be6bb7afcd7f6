import { describe, expect, test } from "bun:test";
import { CONTENDERS, FOLDER } from "../../bench/contenders.ts";
import { filesMatching, readFile } from "../docs/markdown.ts";

const packages = filesMatching("bench/*/*/package.json");

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
      const lock = readFile(file.replace("package.json", "package-lock.json"));
      expect(lock).not.toContain('"resolved"');
      expect(JSON.parse(lock).packages[""].dependencies ?? {}).toEqual(dependencies);
    },
  );
});
