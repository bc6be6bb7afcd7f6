import { chownSync, cpSync, existsSync, linkSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TemporaryFolder } from "./temporary-folder.ts";
import { until } from "./until.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** What a container of it is started with, as the image says. */
interface ImageConfiguration {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly StopSignal: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** Why no container can be run here, if so. */
export function lackForImages(): string | undefined {
  const missing = ["buildah", "runc", "dpkg"].find((tool) => !Bun.which(tool));
  if (missing) return `${missing} is not there`;
  return process.getuid?.() === 0 ? undefined : "only root can run containers here";
}

/** The image that the Containerfile makes of an executable, on a base of its own, and containers of it. */
export class Image implements Disposable {
  readonly #folder = new TemporaryFolder();
  readonly #containers: Container[] = [];
  readonly configuration: ImageConfiguration;
  readonly #root: string;

  constructor(executable: string) {
    this.#run([process.execPath, `${REPOSITORY}scripts/image-base.ts`, this.#folder.file("base")]);
    const context = this.#folder.file("context");
    cpSync(`${REPOSITORY}deploy/image`, `${context}/deploy/image`, { recursive: true });
    for (const name of ["LICENSE", "THIRD-PARTY-LICENSES"]) cpSync(REPOSITORY + name, `${context}/${name}`);
    linkSync(executable, `${context}/vitrine`);
    const base = this.#folder.file("Containerfile.base");
    void Bun.write(base, "FROM scratch\nCOPY . /\n");
    this.#buildah("build", "--file", base, "--tag", "localhost/base", this.#folder.file("base"));
    const build = ["build", "--format", "docker", "--file", `${REPOSITORY}Containerfile`];
    const values = ["BASE=localhost/base", "EXECUTABLE=vitrine", "VERSION=1.2.3"].flatMap((it) => [
      "--build-arg",
      it,
    ]);
    this.#buildah(...build, ...values, "--tag", "localhost/vitrine", context);
    const inspected = this.#buildah("inspect", "--type", "image", "localhost/vitrine");
    this.configuration = (JSON.parse(inspected) as { Docker: { config: ImageConfiguration } }).Docker.config;
    this.#root = this.#buildah("mount", this.#buildah("from", "localhost/vitrine"));
    // The volume, as who starts the first container makes it: with the owner of what the image has in its place.
    mkdirSync(this.#folder.file("volume"));
    chownSync(this.#folder.file("volume"), 65532, 65532);
  }

  #run(command: readonly string[]): string {
    const { success, stdout, stderr } = Bun.spawnSync([...command], { stdin: "ignore" });
    if (!success) throw new Error(`${command.join(" ")} failed: ${stderr}`);
    return stdout.toString().trim();
  }

  #buildah(...args: readonly string[]): string {
    const places = ["--root", this.#folder.file("storage"), "--runroot", this.#folder.file("state")];
    return this.#run(["buildah", ...places, "--storage-driver", "vfs", ...args]);
  }

  /** Starts a container with a read-only root, no capability, and the machine's network. */
  async start(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Container> {
    const id = `vitrine-${crypto.randomUUID()}`;
    const bundle = this.#folder.file(id);
    mkdirSync(bundle);
    this.#run(["runc", "spec", "--bundle", bundle]);
    const specification = (await Bun.file(`${bundle}/config.json`).json()) as Specification;
    const { User, Env, Entrypoint, WorkingDir } = this.configuration;
    const [uid, gid] = User.split(":").map(Number);
    const configured = {
      ...specification,
      root: { path: this.#root, readonly: true },
      process: {
        ...specification.process,
        terminal: false,
        user: { uid, gid },
        args: [...Entrypoint, ...args],
        env: [...Env, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)],
        cwd: WorkingDir,
        capabilities: {},
        noNewPrivileges: true,
      },
      mounts: [
        ...specification.mounts,
        { destination: "/tmp", type: "tmpfs", source: "tmpfs", options: ["mode=1777"] },
        {
          destination: "/data",
          type: "bind",
          source: this.#folder.file("volume"),
          options: ["rbind", "rw"],
        },
      ],
      linux: {
        ...specification.linux,
        namespaces: specification.linux.namespaces.filter(({ type }) => type !== "network"),
      },
    };
    await Bun.write(`${bundle}/config.json`, JSON.stringify(configured));
    const container = new Container(id, bundle, this.#folder.file("runc"));
    this.#containers.push(container);
    return container;
  }

  /** Writes a file into the volume. */
  async put(name: string, content: string): Promise<void> {
    const file = this.#folder.file(`volume/${name}`);
    await Bun.write(file, content);
    chownSync(file, 65532, 65532);
  }

  has(path: string): boolean {
    return existsSync(`${this.#root}${path}`);
  }

  [Symbol.dispose](): void {
    for (const container of this.#containers) container.kill();
    rmSync(this.#folder.file("storage"), { recursive: true, force: true });
    this.#folder[Symbol.dispose]();
  }
}

interface Specification {
  readonly process: object;
  readonly mounts: readonly object[];
  readonly linux: { readonly namespaces: readonly { readonly type: string }[] };
}

export class Container {
  readonly #id: string;
  readonly #state: string;
  readonly #child;
  #output = "";
  readonly #reading: Promise<void>;

  constructor(id: string, bundle: string, state: string) {
    this.#id = id;
    this.#state = state;
    const child = Bun.spawn(["runc", "--root", state, "run", "--bundle", bundle, id], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    this.#child = child;
    this.#reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of child.stdout) this.#output += decoder.decode(chunk, { stream: true });
    })();
  }

  /** Where it listens, once it does. */
  async url(): Promise<string> {
    return until("the container to listen", () => {
      if (this.#child.exitCode !== null) throw new Error(`the container ended: ${this.#output}`);
      return /"message":"listening","url":"http:\/\/[^:"]+(:\d+)"/.exec(this.#output)?.[1];
    }).then((port) => `http://127.0.0.1${port}`);
  }

  /** Runs a command beside what runs in it. */
  run(command: readonly string[]): { readonly stdout: string; readonly exitCode: number } {
    const { stdout, exitCode } = Bun.spawnSync(["runc", "--root", this.#state, "exec", this.#id, ...command]);
    return { stdout: stdout.toString().trim(), exitCode };
  }

  async ended(): Promise<number> {
    const exitCode = await this.#child.exited;
    await this.#reading;
    return exitCode;
  }

  async stop(signal: NodeJS.Signals): Promise<number> {
    this.#child.kill(signal);
    return this.ended();
  }

  kill(): void {
    Bun.spawnSync(["runc", "--root", this.#state, "delete", "--force", this.#id], { stderr: "ignore" });
    this.#child.kill("SIGKILL");
  }
}
