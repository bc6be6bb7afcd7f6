import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { commandTree } from "../../src/cli/command-tree.ts";
import { bashCompletion } from "../../src/cli/completion/bash.ts";
import { fishCompletion } from "../../src/cli/completion/fish.ts";
import { WORDS } from "../../src/cli/completion/values.ts";
import { zshCompletion } from "../../src/cli/completion/zsh.ts";
import { makeProgram } from "../../src/cli/program.ts";
import { FORMATS } from "../../src/exchange/export/formats.ts";
import { FOREIGN } from "../../src/exchange/foreign/formats.ts";
import { expectRefusal } from "../support/command-line.ts";
import { withoutTool } from "../support/missing-tool.ts";
import { Program } from "../support/program.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const tree = commandTree(makeProgram());

/** A shell with the completions loaded, in a folder with the file `ada.yaml` and another one. */
interface Shell extends AsyncDisposable {
  /** What it offers for the last word of what was typed. */
  complete(typed: string): Promise<readonly string[]>;
}

async function folderWith(script: string): Promise<TemporaryFolder> {
  const folder = new TemporaryFolder();
  await Bun.write(folder.file("completion"), script);
  await Bun.write(folder.file("ada.yaml"), "");
  await Bun.write(folder.file("a file with spaces"), "");
  return folder;
}

function run(folder: TemporaryFolder, command: readonly string[]): string[] {
  const { stdout, stderr } = Bun.spawnSync([...command], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? "", HOME: folder.path },
    stdin: "ignore",
  });
  expect(stderr.toString()).toBe("");
  return stdout.toString().split("\n").filter(Boolean);
}

async function bash(): Promise<Shell> {
  const folder = await folderWith(bashCompletion(tree));
  return {
    async complete(typed) {
      const words = typed.split(" ");
      const script = `shopt -u progcomp; source ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        compopt() { :; }; _vitrine; ((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"`;
      return run(folder, ["bash", "--norc", "-c", script, "bash", ...words]);
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
    },
  };
}

async function fish(): Promise<Shell> {
  const folder = await folderWith(fishCompletion(tree));
  return {
    async complete(typed) {
      const script = "source ./completion; complete --do-complete $argv[1]";
      const offered = run(folder, ["fish", "--no-config", "-c", script, typed]);
      return offered.map((line) => line.split("\t")[0] ?? "");
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
    },
  };
}

const BELL = "\x07";

/** The widget prints what would be listed, and nothing else. What is typed before the editor is ready may be lost. */
const ZSHRC = `
KEYTIMEOUT=1
PROMPT=
unsetopt prompt_cr
autoload -U compinit
compinit -D -u
source ./completion
compadd() { local -a hits; builtin compadd -O hits "$@"; offers+=($hits); builtin compadd "$@" }
offer() { offers=(); zle complete-word; BUFFER=; zle -I; print -rl -- BEGIN $offers END }
zle-line-init() { print READY }
zle -C complete-word complete-word _main_complete
zle -N offer
zle -N zle-line-init
bindkey '^X' offer
`;

/** Zsh completes on a terminal alone, so it gets one. */
async function zsh(): Promise<Shell> {
  const folder = await folderWith(zshCompletion(tree));
  await Bun.write(folder.file(".zshrc"), ZSHRC);
  let screen = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn(["zsh", "-d", "-i"], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? "", HOME: folder.path, TERM: "dumb" },
    terminal: {
      cols: 200,
      rows: 60,
      data(_, bytes) {
        screen += decoder.decode(bytes, { stream: true });
      },
    },
  });
  const shows = (text: string) => until(`zsh to show ${text}`, () => screen.includes(text));
  await shows("READY");
  return {
    async complete(typed) {
      screen = "";
      child.terminal?.write(`${typed}\x18`);
      await shows("END");
      const listed = /BEGIN\r?\n(.*?)END/s.exec(screen)?.[1] ?? "";
      return listed.replaceAll(BELL, "").split(/\r?\n/).filter(Boolean);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      child.terminal?.close();
      folder[Symbol.dispose]();
    },
  };
}

describe.each([
  { name: "bash", open: bash },
  { name: "zsh", open: zsh },
  { name: "fish", open: fish },
])("the completions for $name", ({ name, open }) => {
  if (!Bun.which(name)) {
    withoutTool("work", `${name} is not there`, () => {});
    return;
  }
  let shell: Shell;
  beforeAll(async () => {
    shell = await open();
  });
  afterAll(async () => {
    await shell?.[Symbol.asyncDispose]();
  });

  test.each([
    { typed: "vitrine ", offers: ["serve", "studio", "import", "key", "completion"] },
    { typed: "vitrine key ", offers: ["create", "list", "revoke", "rotate"] },
    { typed: "vitrine help ", offers: ["serve", "import", "key"] },
    { typed: "vitrine help key ", offers: ["create", "list", "revoke", "rotate"] },
    { typed: "vitrine key help ", offers: ["create", "list", "revoke", "rotate"] },
    { typed: "vitrine key create --v", offers: ["--view"] },
    { typed: "vitrine key create --name portfolio --v", offers: ["--view"] },
    { typed: "vitrine serve --no-", offers: ["--no-migrate", "--no-copy"] },
    { typed: "vitrine export --to js", offers: ["jsonresume", "jsonld"] },
    { typed: "vitrine import --from link", offers: ["linkedin", "linkstack", "linktree"] },
    { typed: "vitrine key create ada@example.com --view ", offers: ["full", "public"] },
    { typed: "vitrine completion ", offers: ["bash", "zsh", "fish"] },
    { typed: "vitrine import ad", offers: ["ada.yaml"] },
    { typed: "vitrine qr ada --out ad", offers: ["ada.yaml"] },
  ])("offer what may follow `$typed`", async ({ typed, offers }) => {
    expect(await shell.complete(typed)).toContainValues([...offers]);
  });

  test("offer a command no more once it is typed", async () => {
    const offered = await shell.complete("vitrine key create --");
    expect(offered).toContainValues(["--database", "--expires", "--only"]);
    expect(offered).not.toContain("--no-migrate");
    expect(offered).not.toContain("rotate");
  });

  test.each(["vitrine export ", "vitrine key revoke ", "vitrine user show a", "vitrine copy --from "])(
    "offer nobody's address, id or database after `%s`",
    async (typed) => {
      expect(await shell.complete(typed)).toEqual([]);
    },
  );

  test("leave out what is not for people", async () => {
    expect(await shell.complete("vitrine serve-")).toEqual([]);
  });
});

describe("vitrine completion", () => {
  test.each([
    { shell: "bash", script: bashCompletion(tree) },
    { shell: "zsh", script: zshCompletion(tree) },
    { shell: "fish", script: fishCompletion(tree) },
  ])("prints those for $shell", async ({ shell, script }) => {
    using program = new Program();
    expect(await program.run(["completion", shell])).toEqual({ stdout: script, stderr: "", exitCode: 0 });
  });

  test("refuses another shell", async () => {
    using program = new Program();
    expectRefusal(await program.run(["completion", "csh"]), {
      error: "there are completions for bash, zsh, fish alone",
      remedy: "vitrine completion bash",
      exitCode: 2,
    });
  });

  test("knows every format that the program knows", () => {
    expect(WORDS["--from <format>"]).toEqual(Object.keys(FOREIGN));
    expect(WORDS["--to <format>"]).toEqual(Object.keys(FORMATS));
  });
});
