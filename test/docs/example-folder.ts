import { newestKey } from "../support/command-line.ts";
import { openStore } from "../support/databases.ts";
import { Program, VITRINE } from "../support/program.ts";

/** A folder in which the lines of an example are typed, by a shell, as they stand. */
export class ExampleFolder implements Disposable {
  readonly program = new Program();
  #id = "";

  async run(line: string): Promise<string> {
    const command = VITRINE.map((word) => `"${word}"`).join(" ");
    const definition = `vitrine() { ${command} "$@"; }`;
    const typed = line.replaceAll(/A[\w-]{21}/g, this.#id);
    const child = Bun.spawn(["sh", "-c", `${definition}\n{ ${typed}; } 2>&1`], {
      cwd: this.program.folder.path,
      env: { PATH: process.env.PATH ?? "", HOME: this.program.folder.path },
      stdin: "ignore",
      stdout: "pipe",
    });
    const said = await new Response(child.stdout).text();
    await child.exited;
    return said;
  }

  async put(name: string, content: string): Promise<void> {
    await this.program.put(name, content);
  }

  async import(...records: readonly string[]): Promise<void> {
    for (const record of records) {
      await this.put("given", record);
      const said = await this.run("vitrine import given");
      if (!said.startsWith("created")) throw new Error(said);
    }
    await Bun.file(this.program.folder.file("given")).delete();
  }

  /** Makes the key that the examples speak of by its id. */
  async makeKey(email: string, flags = ""): Promise<void> {
    await this.run(`vitrine key create ${email} ${flags}`);
    this.#id = (await newestKey(this.program, email)).id;
  }

  /** Makes the hook that the examples speak of by its id. Its host is nobody's, so that no command would take it. */
  async makeHook(email: string): Promise<void> {
    const store = await openStore(this.program.database);
    const target = { url: "https://ada.example/hook", headers: [], body: null, secret: "whsec_" };
    this.#id = (await store.hooks.add({ ...target, email, events: ["record.changed"] })).id;
    await store.close();
  }

  [Symbol.dispose](): void {
    this.program[Symbol.dispose]();
  }
}

/** What differs from run to run, masked in the same length: columns stay where they are. */
export function masked(text: string): string {
  return text
    .replaceAll(/(vitp?_)(?:\w{49}|…)/g, "$1…")
    .replaceAll(/\bA[\w-]{21}(?![\w-])/g, "I".repeat(22))
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d)?/g, (date) => date.replaceAll(/\d/g, "0"))
    .replaceAll(/\d+\.\d MB/g, "0.0 MB")
    .replaceAll(/version \d+|before-v\d+/g, (version) => version.replaceAll(/\d+/g, "N"))
    .replaceAll(/#(link|invitation)=(?:[\w-]{43}|…)/g, "#$1=…")
    .replaceAll(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, "http://$1:PORT");
}

interface Typed {
  readonly line: string;
  readonly said: string;
}

/** The commands of an example, each with what it printed. */
export function typedIn(fence: string): Typed[] {
  return fence
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [line = "", ...said] = part.split("\n");
      return { line, said: said.join("\n").trimEnd() };
    });
}
