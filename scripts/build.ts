/** Makes one file that runs every command: `npm run build`, or `bun scripts/build.ts FILE [TARGET [RUNTIME]]`. */
import { commit } from "../src/version.ts";

const ENTRY_POINTS = [
  "src/cli/main.ts",
  // What runs on threads of its own is found by these names.
  "src/exchange/import-worker.ts",
  "src/serving/compile-worker.ts",
  "src/serving/count-worker.ts",
  "src/store/sqlite/backup-worker.ts",
  "src/studio/file-worker.ts",
];

const [outfile = "dist/vitrine", target, runtime] = Bun.argv.slice(2);

const build = Bun.spawn(
  [
    process.execPath,
    "build",
    "--compile",
    "--minify",
    "--sourcemap",
    // So that the program is not parsed anew at every start.
    "--bytecode",
    "--format=esm",
    // Else a folder that somebody else can write to could say what the program runs, and with which settings.
    "--no-compile-autoload-bunfig",
    "--no-compile-autoload-dotenv",
    "--define",
    `BUILD_COMMIT=${JSON.stringify(commit())}`,
    ...(target ? ["--target", target] : []),
    // Bun would fetch the runtime of another system by itself; this is where it is already.
    ...(runtime ? ["--compile-executable-path", runtime] : []),
    ...ENTRY_POINTS,
    "--outfile",
    outfile,
  ],
  {
    cwd: `${import.meta.dir}/..`,
    stdio: ["ignore", "inherit", "inherit"],
    // Else each element of the studio's page would carry where in the source it stands.
    env: { ...process.env, NODE_ENV: "production" },
  },
);
process.exitCode = await build.exited;
