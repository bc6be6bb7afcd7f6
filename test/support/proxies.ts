import { describe } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { withoutTool } from "./missing-tool.ts";
import { freePort } from "./postgres-cluster.ts";
import { TemporaryFolder } from "./temporary-folder.ts";
import { until } from "./until.ts";

/** Ends the proxy when the test run has been killed: its standard input closes with it. */
const GUARDED = 'exec 3<&0; "$@" </dev/null 3<&- & cat <&3 >/dev/null; kill $!; wait $!';

interface Kind {
  readonly program: string;
  /** The file that operators are given. */
  readonly file: string;
  /** The one for the studio, and all that is replaced in that. */
  readonly studio?: {
    readonly file: string;
    readonly places: (to: StudioPlaces) => Readonly<Record<string, string>>;
  };
  /** All that is replaced in it: where Vitrine is, where the proxy listens, and the certificate. */
  readonly places: (to: Places) => Readonly<Record<string, string>>;
  readonly scheme: "http" | "https";
  /** Puts what the file needs around it into the folder, and says how the proxy is started there. */
  readonly command: (program: string, folder: TemporaryFolder) => readonly string[];
}

interface Places {
  readonly instances: readonly [string, string];
  readonly listen: string;
  readonly folder: TemporaryFolder;
}

interface StudioPlaces extends Omit<Places, "instances"> {
  readonly studio: string;
}

const instancesAt = ([a, b]: Places["instances"]) => ({ "10.0.0.11:3000": a, "10.0.0.12:3000": b });

const KINDS = {
  nginx: {
    program: "nginx",
    file: "deploy/nginx/vitrine.conf",
    scheme: "https",
    places: ({ instances, listen, folder }) => ({
      ...instancesAt(instances),
      "listen 443 ssl;": `listen ${listen} ssl;`,
      "/etc/ssl/links.example.pem": folder.file("certificate.pem"),
      "/etc/ssl/links.example.key": folder.file("key.pem"),
    }),
    studio: {
      file: "deploy/nginx/studio.conf",
      places: ({ studio, listen, folder }) => ({
        "127.0.0.1:3100": studio,
        "listen 443 ssl;": `listen ${listen} ssl;`,
        "/etc/ssl/studio.example.pem": folder.file("certificate.pem"),
        "/etc/ssl/studio.example.key": folder.file("key.pem"),
      }),
    },
    command(program, folder) {
      const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${folder.file(name)};`)
        .join(" ");
      // Started by root it would work as nobody, who cannot write into the folder.
      const user = process.getuid?.() === 0 ? "user root;" : "";
      writeFileSync(
        folder.file("nginx.conf"),
        `${user} daemon off; pid ${folder.file("pid")}; error_log stderr; events {}
         http { access_log off; ${paths} include ${folder.file("site")}; }`,
      );
      return [program, "-p", folder.path, "-e", "stderr", "-c", folder.file("nginx.conf")];
    },
  },
  HAProxy: {
    program: "haproxy",
    file: "deploy/haproxy/haproxy.cfg",
    scheme: "https",
    places: ({ instances, listen, folder }) => ({
      ...instancesAt(instances),
      "bind :443 ssl": `bind ${listen} ssl`,
      "/etc/haproxy/links.example.pem": folder.file("both.pem"),
    }),
    command: (program, folder) => [program, "-db", "-f", folder.file("site")],
  },
  Caddy: {
    program: "caddy",
    file: "deploy/caddy/several-machines.Caddyfile",
    scheme: "http",
    places: ({ instances, listen }) => ({
      ...instancesAt(instances),
      "links.example {": `http://:${listen.split(":")[1]} {`,
    }),
    studio: {
      file: "deploy/caddy/studio.Caddyfile",
      places: ({ studio, listen }) => ({
        "127.0.0.1:3100": studio,
        "studio.example {": `http://:${listen.split(":")[1]} {`,
      }),
    },
    command(program, folder) {
      writeFileSync(
        folder.file("Caddyfile"),
        `{\n admin off\n default_bind 127.0.0.1\n}\nimport ${folder.file("site")}\n`,
      );
      return [program, "run", "--adapter", "caddyfile", "--config", folder.file("Caddyfile")];
    },
  },
} satisfies Readonly<Record<string, Kind>>;

type ProxyName = keyof typeof KINDS;

export interface RunningProxy extends AsyncDisposable {
  readonly url: string;
}

/** The real proxy, with the file of the repository, before two instances. */
export type StartProxy = (instances: readonly [string, string]) => Promise<RunningProxy>;

/** Tests with each proxy that operators are given a file for. */
export function describeWithEachProxy(title: string, sentences: (start: StartProxy) => void): void {
  for (const name of Object.keys(KINDS) as ProxyName[]) describeWithProxy(name, title, sentences);
}

export function describeWithProxy(
  name: ProxyName,
  title: string,
  sentences: (start: StartProxy) => void,
): void {
  const kind: Kind = KINDS[name];
  // Debian puts servers where only root looks.
  const program = Bun.which(kind.program, { PATH: `${process.env.PATH}:/usr/sbin` });
  if (program !== null)
    describe(`${name}: ${title}`, () =>
      sentences((instances) => {
        const hosts = instances.map((url) => new URL(url).host) as [string, string];
        const places = (to: Omit<Places, "instances">) => kind.places({ ...to, instances: hosts });
        return start(kind, program, { file: kind.file, places, ready: "/readyz" });
      }));
  else withoutTool(`${name}: ${title}`, `no ${kind.program} on the PATH or in /usr/sbin`, sentences);
}

/** The real proxy, with the file of the repository, before a studio. */
type StartStudioProxy = (studioUrl: string) => Promise<RunningProxy>;

/** Tests with each proxy that operators of a studio are given a file for. */
export function describeWithEachStudioProxy(
  title: string,
  sentences: (start: StartStudioProxy) => void,
): void {
  for (const [name, kind] of Object.entries<Kind>(KINDS)) {
    const { studio } = kind;
    if (!studio) continue;
    const program = Bun.which(kind.program, { PATH: `${process.env.PATH}:/usr/sbin` });
    if (program !== null)
      describe(`${name}: ${title}`, () =>
        sentences((url) => {
          const places = (to: Omit<Places, "instances">) =>
            studio.places({ ...to, studio: new URL(url).host });
          return start(kind, program, { file: studio.file, places, ready: "/" });
        }));
    else withoutTool(`${name}: ${title}`, `no ${kind.program} on the PATH or in /usr/sbin`, sentences);
  }
}

interface Site {
  readonly file: string;
  readonly places: (to: Omit<Places, "instances">) => Readonly<Record<string, string>>;
  /** What is asked until somebody behind the proxy answers. */
  readonly ready: string;
}

async function start(kind: Kind, program: string, { file, places, ready }: Site): Promise<RunningProxy> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(new TemporaryFolder());
  if (kind.scheme === "https") makeCertificate(folder);
  const listen = `127.0.0.1:${await freePort()}`;
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  writeFileSync(folder.file("site"), replaced(text, places({ listen, folder })));
  const child = Bun.spawn(["sh", "-c", GUARDED, "sh", ...kind.command(program, folder)], {
    env: { PATH: process.env.PATH ?? "", HOME: folder.path },
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  stack.defer(async () => {
    child.stdin.end();
    await child.exited;
  });
  const url = `${kind.scheme}://${listen}`;
  await until(`${kind.program} to find who is behind it ready`, async () => {
    if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text());
    // A studio refuses the name that the proxy has here, and so it is there.
    return fetch(url + ready, { tls: { rejectUnauthorized: false } }).then(
      ({ status }) => status < 500,
      () => false,
    );
  });
  const started = stack.move();
  return { url, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** Each text must be there once. */
function replaced(text: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((result, [from, to]) => {
    if (result.split(from).length !== 2) throw new Error(`not there once: ${from}`);
    return result.replace(from, () => to);
  }, text);
}

function makeCertificate(folder: TemporaryFolder): void {
  const [key, certificate] = [folder.file("key.pem"), folder.file("certificate.pem")];
  const options = "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2";
  const command = [
    "openssl",
    ...options.split(" "),
    "-subj",
    "/CN=links.example",
    "-keyout",
    key,
    "-out",
    certificate,
  ];
  const { success, stderr } = Bun.spawnSync(command, { stderr: "pipe" });
  if (!success) throw new Error(stderr.toString());
  writeFileSync(folder.file("both.pem"), readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
}
