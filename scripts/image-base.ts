/** Makes the root of a base image of the C library of the Debian that this runs on: `bun scripts/image-base.ts FOLDER`. */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the executable is linked to, what it looks names up with, and under which licence they are. */
const NEEDED =
  /\/(?:ld-linux-[\w-]+|lib(?:c|m|dl|pthread|rt|resolv|nss_dns|nss_files))\.so\.\d+$|\/copyright$/;

const FILES = {
  "etc/passwd": "root:x:0:0:root:/root:/sbin/nologin\nvitrine:x:65532:65532:Vitrine:/data:/sbin/nologin\n",
  "etc/group": "root:x:0:\nvitrine:x:65532:\n",
  "etc/nsswitch.conf": "hosts: files dns\n",
};

const [root] = Bun.argv.slice(2);
if (!root) throw new Error("say where: bun scripts/image-base.ts FOLDER");

const { success, stdout } = Bun.spawnSync(["dpkg", "--listfiles", "libc6"]);
if (!success) throw new Error("dpkg knows no libc6: this needs Debian, or one of its kin");
const installed = stdout.toString().split("\n");
// The loader has a second name, which the executable calls it by.
for (const file of installed.filter((it) => NEEDED.test(it)))
  put(file, (to) => cpSync(file, to, { dereference: true }));
for (const [file, text] of Object.entries(FILES)) put(file, (to) => writeFileSync(to, text));
mkdirSync(join(root, "tmp"));
chmodSync(join(root, "tmp"), 0o1777);

function put(file: string, write: (to: string) => void): void {
  const to = join(root as string, file);
  mkdirSync(dirname(to), { recursive: true });
  write(to);
}
