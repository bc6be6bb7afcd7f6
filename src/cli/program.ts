import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { readSettings, SETTINGS, SettingError, type SettingName } from "../settings.ts";
import type { DatabaseLocation } from "../store/database-url.ts";
import { Misuse } from "./failure.ts";
import { write } from "./output.ts";

const ALL_SETTINGS = Object.keys(SETTINGS) as SettingName[];

type Flags = Partial<Record<SettingName, string>>;

/** Every command with its help. What a command does is loaded when it runs, so that `serve` starts fast. */
export function makeProgram(): Command {
  const program = prepare(new Command("vitrine"))
    .description("Your own profile and link trees back as data: a read-only JSON API behind a personal key.")
    .version(packageJson.version, "-v, --version", "print the version")
    .helpCommand("help [command]", "show help for a command")
    .addHelpText(
      "after",
      examplesText(["vitrine demo", "vitrine import ada.yaml", "vitrine key create ada@example.com"]),
    );

  add(program, "serve", {
    does: "serve the API",
    settings: ALL_SETTINGS,
    examples: [
      "vitrine serve",
      "vitrine serve --port 8080 --database sqlite:/var/lib/vitrine/vitrine.db",
      "vitrine serve --workers auto --redis redis://127.0.0.1:6379 --metrics-port 9090",
    ],
  })
    .option("--no-migrate", "leave the schema as it is, and refuse to start where it is not the right one")
    .action(async (flags: Flags & { migrate: boolean }) => {
      const { serve } = await import("./commands/serve.ts");
      await serve(readSettings(ALL_SETTINGS, flags), { migrate: flags.migrate });
    });

  prepare(program.command("serve-worker", { hidden: true })).action(async () => {
    const { serveWorker } = await import("./commands/serve-worker.ts");
    await serveWorker();
  });

  add(program, "demo", {
    does: "serve for a first look: an empty database gets a sample profile and a key",
    settings: ALL_SETTINGS,
    examples: ["vitrine demo", "npm start"],
  }).action(async (flags: Flags) => {
    const { demo } = await import("./commands/demo.ts");
    await demo(readSettings(ALL_SETTINGS, flags));
  });

  add(program, "import <files...>", {
    does: "load records from JSON, NDJSON or YAML files (- is standard input)",
    settings: ["database"],
    examples: [
      "vitrine import ada.yaml",
      "vitrine import --dry-run people.ndjson",
      "cat people.ndjson | vitrine import -",
    ],
  })
    .option("--dry-run", "check everything and say what would be done, but write nothing")
    .option("--json", "print the summary as JSON")
    .action(async (files: string[], flags: Flags & { dryRun?: true; json?: true }) => {
      const { importFiles } = await import("./commands/import.ts");
      await importFiles(files, {
        dryRun: flags.dryRun === true,
        json: flags.json === true,
        ...readSettings(["database"], flags),
      });
    });

  add(program, "export [email]", {
    does: "print a record as JSON, or all of them as NDJSON",
    settings: ["database"],
    examples: ["vitrine export ada@example.com > ada.json", "vitrine export --all > people.ndjson"],
  })
    .option("--all", "print every record, one a line")
    .action(async (email: string | undefined, flags: Flags & { all?: true }) => {
      const { exportRecords } = await import("./commands/export.ts");
      await exportRecords(email, { all: flags.all === true, ...readSettings(["database"], flags) });
    });

  addKeyCommands(program);
  addUserCommands(program);

  add(program, "stats <email>", {
    does: "show views and clicks of a user's link trees",
    settings: ["database"],
    examples: ["vitrine stats ada@example.com", "vitrine stats ada@example.com --tree ada --days 7 --json"],
  })
    .option("--tree <slug>", "only this link tree")
    .option("--days <number>", "how many days, today included", "30")
    .option("--json", "print JSON")
    .action(async (email: string, flags: Flags & { tree?: string; days: string; json?: true }) => {
      const { stats } = await import("./commands/stats.ts");
      const { tree, days } = flags;
      await stats(email, { tree, days, json: flags.json === true, ...readSettings(["database"], flags) });
    });

  add(program, "qr <slug>", {
    does: "print the QR code of a link tree's page, or write it to a file",
    settings: ["database", "port", "host", "publicUrl"],
    examples: ["vitrine qr ada", "vitrine qr ada --public-url https://links.example --out ada.svg"],
  })
    .option("--out <file>", "write an image, SVG or PNG by the ending of the name")
    .action(async (slug: string, flags: Flags & { out?: string }) => {
      const { qr } = await import("./commands/qr.ts");
      const settings = readSettings(["database", "port", "host", "publicUrl"], flags);
      await qr(slug, { out: flags.out, ...settings });
    });

  add(program, "openapi", {
    does: "print the API's description in OpenAPI 3.1, as the server sends it",
    settings: ["publicUrl"],
    examples: ["vitrine openapi > openapi.json", "vitrine openapi --public-url https://links.example"],
  }).action(async (flags: Flags) => {
    const { printOpenApi } = await import("./commands/openapi.ts");
    await printOpenApi(readSettings(["publicUrl"], flags));
  });

  add(program, "backup <file>", {
    does: "write a consistent copy of the database, also while the server runs",
    settings: ["database"],
    examples: ["vitrine backup vitrine-2026-11-15.db"],
  }).action(async (file: string, flags: Flags) => {
    const { backup } = await import("./commands/backup.ts");
    await backup(file, readSettings(["database"], flags));
  });

  add(program, "migrate", {
    does: "bring the schema of the database up to date, as `serve` does when it starts",
    settings: ["database"],
    examples: ["vitrine migrate", "vitrine migrate --json"],
  })
    .option("--json", "print the versions as JSON")
    .action(async (flags: Flags & { json?: true }) => {
      const { migrate } = await import("./commands/migrate.ts");
      await migrate({ json: flags.json === true, ...readSettings(["database"], flags) });
    });

  add(program, "copy", {
    does: "copy records, keys and counts to another database, and verify them there",
    settings: [],
    examples: ["vitrine copy --from sqlite:vitrine.db --to postgres://vitrine@db.example:5432/vitrine"],
  })
    .requiredOption("--from <url>", "the database to copy from, which is only read")
    .requiredOption("--to <url>", "the database to copy to: none yet, an empty one, or an unfinished copy")
    .option("--json", "print the summary as JSON")
    .action(async (flags: { from: string; to: string; json?: true }) => {
      const { copy } = await import("./commands/copy.ts");
      await copy({
        from: databaseAt("--from", flags.from),
        to: databaseAt("--to", flags.to),
        json: flags.json === true,
      });
    });

  add(program, "rebuild", {
    does: "compile all documents anew from their records",
    settings: ["database"],
    examples: ["vitrine rebuild"],
  }).action(async (flags: Flags) => {
    const { rebuild } = await import("./commands/rebuild.ts");
    await rebuild(readSettings(["database"], flags));
  });

  add(program, "doctor", {
    does: "check settings, schema, storage and every document, and say what to do",
    settings: ALL_SETTINGS,
    examples: ["vitrine doctor", "vitrine doctor --json"],
  })
    .option("--json", "print the findings as JSON")
    .action(async (flags: Flags & { json?: true }) => {
      const { doctor } = await import("./commands/doctor.ts");
      await doctor({ flags, json: flags.json === true });
    });

  return program;
}

function addKeyCommands(program: Command): void {
  const key = prepare(program.command("key").description("issue, list and end keys")).addHelpText(
    "after",
    examplesText(["vitrine key create ada@example.com", "vitrine key list ada@example.com"]),
  );

  add(key, "create <email>", {
    does: "make a key and print it, this once; - makes one for each address on standard input",
    settings: ["database"],
    examples: [
      "vitrine key create ada@example.com",
      "vitrine key create ada@example.com --name portfolio --expires 90d",
      "vitrine key create - < addresses.txt > keys.csv",
    ],
  })
    .option("--name <name>", "what the key is for")
    .option("--expires <when>", "a span such as 90d or 12h, or a date")
    .action(async (email: string, flags: Flags & { name?: string; expires?: string }) => {
      const { createKey } = await import("./commands/key.ts");
      await createKey(email, { ...flags, ...readSettings(["database"], flags) });
    });

  add(key, "list <email>", {
    does: "list a user's keys",
    settings: ["database"],
    examples: ["vitrine key list ada@example.com", "vitrine key list ada@example.com --json"],
  })
    .option("--json", "print JSON")
    .action(async (email: string, flags: Flags & { json?: true }) => {
      const { listKeys } = await import("./commands/key.ts");
      await listKeys(email, { json: flags.json === true, ...readSettings(["database"], flags) });
    });

  add(key, "revoke <id>", {
    does: "end a key at once",
    settings: ["database"],
    examples: ["vitrine key revoke AZqTPyLwcACT4ckH5bJDVQ"],
  }).action(async (id: string, flags: Flags) => {
    const { revokeKey } = await import("./commands/key.ts");
    await revokeKey(id, readSettings(["database"], flags));
  });

  add(key, "rotate <id>", {
    does: "make a new key beside an old one, which goes on working for a while",
    settings: ["database"],
    examples: ["vitrine key rotate AZqTPyLwcACT4ckH5bJDVQ --grace 24h"],
  })
    .option("--grace <span>", "how long the old key goes on working; 0 ends it now", "24h")
    .action(async (id: string, flags: Flags & { grace: string }) => {
      const { rotateKey } = await import("./commands/key.ts");
      await rotateKey(id, { ...flags, ...readSettings(["database"], flags) });
    });
}

function addUserCommands(program: Command): void {
  const user = prepare(program.command("user").description("list, show and delete users")).addHelpText(
    "after",
    examplesText(["vitrine user list", "vitrine user show ada@example.com"]),
  );

  add(user, "list", {
    does: "list all users",
    settings: ["database"],
    examples: ["vitrine user list", "vitrine user list --json"],
  })
    .option("--json", "print one JSON object a line")
    .action(async (flags: Flags & { json?: true }) => {
      const { listUsers } = await import("./commands/user.ts");
      await listUsers({ json: flags.json === true, ...readSettings(["database"], flags) });
    });

  add(user, "show <email>", {
    does: "show what there is of a user",
    settings: ["database"],
    examples: ["vitrine user show ada@example.com"],
  })
    .option("--json", "print JSON")
    .action(async (email: string, flags: Flags & { json?: true }) => {
      const { showUser } = await import("./commands/user.ts");
      await showUser(email, { json: flags.json === true, ...readSettings(["database"], flags) });
    });

  add(user, "delete <email>", {
    does: "delete a user with all link trees and keys",
    settings: ["database"],
    examples: ["vitrine user delete ada@example.com", "vitrine user delete ada@example.com --yes"],
  })
    .option("--yes", "do not ask")
    .action(async (email: string, flags: Flags & { yes?: true }) => {
      const { deleteUser } = await import("./commands/user.ts");
      await deleteUser(email, { yes: flags.yes === true, ...readSettings(["database"], flags) });
    });
}

/** A database that is named by another flag than the setting's. */
function databaseAt(flag: string, url: string): DatabaseLocation {
  const { parse, expected } = SETTINGS.database;
  const location = parse(url);
  if (!location) throw new SettingError(flag, url, expected);
  return location;
}

interface Description {
  readonly does: string;
  readonly settings: readonly SettingName[];
  readonly examples: readonly string[];
}

function add(parent: Command, signature: string, { does, settings, examples }: Description): Command {
  const command = prepare(parent.command(signature).description(does));
  for (const name of settings) {
    const { flag, placeholder, description, variable, fallback } = SETTINGS[name];
    const origin = fallback ? `${variable}, or ${fallback}` : variable;
    command.option(`${optionFor(name, flag)} ${placeholder}`, `${description} (default: ${origin})`);
  }
  return command.addHelpText("after", examplesText(examples));
}

function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ ${example}`).join("\n")}`;
}

/** Flags are named after settings, so that commander hands each over under its setting's name. */
function optionFor(name: SettingName, flag: string): string {
  const camelCased = flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (camelCased !== name) throw new Error(`${flag} does not belong to the setting ${name}`);
  return flag;
}

/** A mistake in typing is answered like any other error: what is wrong, and what to type. */
function prepare(command: Command): Command {
  return command
    .helpOption("-h, --help", "show help")
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => write(1, text),
      writeErr: (text) => write(2, text),
      outputError: () => {},
    })
    .exitOverride((error) => {
      if (error.exitCode === 0 || error.code === "commander.help") throw error;
      const [message = "", suggestion = ""] = error.message.replace(/^error: /, "").split("\n");
      const meant = /Did you mean (?:one of )?([\w-]+)/.exec(suggestion)?.[1];
      const name = fullName(command);
      throw new Misuse(message, meant ? `${name} ${meant}` : `${name} --help`);
    });
}

/** As it is typed: `vitrine key create`. */
export function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}
