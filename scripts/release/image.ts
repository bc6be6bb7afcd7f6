import { copyFileSync, cpSync, linkSync, mkdirSync } from "node:fs";
import { packContents } from "./archive.ts";
import { run } from "./run.ts";

interface ImageOptions {
  readonly repository: string;
  /** A folder that is not there yet. */
  readonly work: string;
  readonly executable: string;
  readonly file: string;
  readonly version: string;
  readonly commit: string;
  readonly time: Date;
}

/** Makes the image, on a base that is made here, as an archive that `docker load` and `podman load` take. */
export async function makeImage(options: ImageOptions): Promise<void> {
  const { repository, work, executable, file, version, commit, time } = options;
  const places = ["--root", `${work}/storage`, "--runroot", `${work}/state`, "--storage-driver", "vfs"];
  const buildah = (...args: string[]) => run(["buildah", ...places, ...args]);
  const timestamp = ["--timestamp", String(time.getTime() / 1000)];

  run([process.execPath, `${repository}/scripts/image-base.ts`, `${work}/base`]);
  await Bun.write(`${work}/Containerfile`, "FROM scratch\nCOPY . /\n");
  buildah(
    "build",
    ...timestamp,
    "--file",
    `${work}/Containerfile`,
    "--tag",
    "localhost/base",
    `${work}/base`,
  );

  cpSync(`${repository}/deploy/image`, `${work}/context/deploy/image`, { recursive: true });
  for (const name of ["LICENSE", "THIRD-PARTY-LICENSES"])
    cpSync(`${repository}/${name}`, `${work}/context/${name}`);
  linkSync(executable, `${work}/context/vitrine`);
  const values = ["BASE=localhost/base", "EXECUTABLE=vitrine", `VERSION=${version}`, `COMMIT=${commit}`];
  const tag = `localhost/vitrine:${version}`;
  buildah(
    "build",
    ...timestamp,
    ...["--format", "docker", "--file", `${repository}/Containerfile`],
    ...values.flatMap((value) => ["--build-arg", value]),
    ...["--tag", tag, `${work}/context`],
  );
  buildah("push", tag, `docker-archive:${work}/image.tar:${tag}`);
  mkdirSync(`${work}/pushed`);
  run(["tar", "--extract", "--file", `${work}/image.tar`], { cwd: `${work}/pushed` });
  await settle(`${work}/pushed`, `${work}/image`);
  await packContents(`${work}/image`, file, time);
}

interface Manifest {
  readonly Config: string;
  readonly RepoTags: readonly string[];
  readonly Layers: readonly string[];
}

interface Configuration {
  readonly container?: unknown;
  readonly container_config?: unknown;
  readonly parent?: unknown;
  readonly config: { readonly Hostname?: string };
}

/** Takes over what an archive is loaded by, without the names that Buildah made up for the container it built in. */
async function settle(from: string, to: string): Promise<void> {
  const [manifest] = (await Bun.file(`${from}/manifest.json`).json()) as [Manifest];
  const pushed = (await Bun.file(`${from}/${manifest.Config}`).json()) as Configuration;
  const { container: _1, container_config: _2, parent: _3, ...settled } = pushed;
  const text = JSON.stringify({ ...settled, config: { ...settled.config, Hostname: "" } });
  const config = `${new Bun.CryptoHasher("sha256").update(text).digest("hex")}.json`;
  await Bun.write(`${to}/${config}`, text);
  await Bun.write(`${to}/manifest.json`, JSON.stringify([{ ...manifest, Config: config }]));
  for (const layer of manifest.Layers) copyFileSync(`${from}/${layer}`, `${to}/${layer}`);
}
