import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesMatching, readFile } from "./markdown.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const pages = filesMatching("**/*.md");

/** The relative links of a page, without what stands in code. */
function linksOf(page: string): string[] {
  const prose = readFile(page)
    .replace(/^```.*?^```$/gms, "")
    .replace(/`[^`\n]*`/g, "code");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
  return targets.filter((target) => !/^[a-z]+:/i.test(target));
}

/** The anchors that a page's headings get. */
function anchorsOf(page: string): string[] {
  const prose = readFile(page).replace(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("a Markdown file", () => {
  test.each(pages)("%s links only to what is there", (page) => {
    const broken = linksOf(page).filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path ? join(dirname(page), path) : page;
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test.each(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/architecture.md"])(
    "%s is there and begins with a title",
    (page) => {
      expect(readFile(page)).toStartWith("# ");
    },
  );

  test("in docs is in the index of docs, which the README leads to", () => {
    expect(linksOf("README.md")).toContain("docs/README.md");
    const linked = linksOf("docs/README.md").map((link) => link.split("#")[0]);
    const others = filesMatching("docs/*.md").filter((page) => page !== "docs/README.md");
    for (const page of others) expect(linked).toContain(page.replace("docs/", ""));
  });
});

describe("the changelog", () => {
  test("begins with what is unreleased", () => {
    expect(/^## (.+)$/m.exec(readFile("CHANGELOG.md"))?.[1]).toBe("Unreleased");
  });
});

describe("the repository", () => {
  // Written in parts, since this file is among those that are searched.
  const folders = ["work", "home", "root", "Users"];
  const machinePath = new RegExp(String.raw`(?<![\w.:~/@%-])/(?:${folders.join("|")})/[\w.-]`);
  const files = filesMatching("**/*.{md,ts,js,json,yaml,yml,toml,sql,svg,html}", ".ci/*");

  test("names no folder of somebody's machine", () => {
    for (const file of ["README.md", "src/cli/main.ts", "package.json", ".ci/run"])
      expect(files).toContain(file);
    const found = files.flatMap((file) => {
      const lines = readFile(file).split("\n");
      return lines.filter((line) => machinePath.test(line)).map((line) => `${file}: ${line.trim()}`);
    });
    expect(found).toEqual([]);
  });
});

describe("the pictures in docs/images", () => {
  const script = readFile("scripts/pictures.ts");
  const taken = [...script.matchAll(/take\(\w+, "([\w-]+)"\)/g)].map((match) => match[1] ?? "");
  const looks = [...script.matchAll(/\{ slug: "([\w-]+)", look/g)].map((match) => `page-${match[1]}`);

  test("are those that `npm run pictures` takes, all of them and no others", () => {
    const names = filesMatching("docs/images/*").map((file) => file.replace(/^.*\/|\.webp$/g, ""));
    expect(names.toSorted()).toEqual([...taken, ...looks].toSorted());
  });

  test("are each shown somewhere", () => {
    const shown = pages.map(readFile).join("\n");
    for (const file of filesMatching("docs/images/*")) expect(shown).toContain(file.replace("docs/", ""));
  });
});
