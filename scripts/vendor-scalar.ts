import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { $ } from "bun";

/**
 * Puts a release of Scalar's API reference into vendor/scalar, compressed as it is sent: the one file that a
 * browser loads. As a dependency it would bring 300 packages that nothing here uses.
 */
const FOLDER = fileURLToPath(new URL("../vendor/scalar/", import.meta.url));

const [version] = process.argv.slice(2);
if (!version) throw new Error("Try: bun scripts/vendor-scalar.ts 1.72.1");

const temporary = await mkdtemp(join(tmpdir(), "scalar-"));
try {
  await $`npm pack --silent @scalar/api-reference@${version} && tar xzf *.tgz`.cwd(temporary);
  const script = await Bun.file(join(temporary, "package/dist/browser/standalone.js")).text();
  // The map is not served, so nobody should be sent to look for it.
  const bytes = Buffer.from(script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
  await Bun.write(
    join(FOLDER, "api-reference.js.gz"),
    Bun.gzipSync(bytes, { library: "libdeflate", level: 12 }),
  );
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  await Bun.write(join(FOLDER, "release.json"), `${JSON.stringify({ version, sha256 }, null, 2)}\n`);
} finally {
  await rm(temporary, { recursive: true });
}
