import { Command, CommanderError, Help, type Option } from "commander";
import { KEY_PATHS, VIEWS } from "../contract/access.ts";
import {
  readElsewhere,
  readSettings,
  SETTINGS,
  SettingError,
  type SettingName,
  type Settings,
  STUDIO_SETTINGS,
} from "../settings.ts";
import type { DatabaseLocation } from "../store/location.ts";
import { commit, VERSION } from "../version.ts";
import type { BringFlags } from "./commands/bring.ts";
import type { ExportFlags } from "./commands/export.ts";
import type { HookFlags } from "./commands/hook.ts";
import type { NewKeyFlags } from "./commands/key.ts";
import { Misuse } from "./failure.ts";
import { write } from "./output.ts";

const ALL_SETTINGS = Object.keys(SETTINGS) as SettingName[];

const SERVER_SETTINGS = ALL_SETTINGS.filter(
  (name): name is keyof Settings => !STUDIO_SETTINGS.some((it) => it === name),
);

/** What the studio is set by, and where it finds the database, the counts and the pages. */
const SETTINGS_OF_STUDIO = [
  "database",
  "logLevel",
  "redis",
  "port",
  "host",
  "publicUrl",
  "trustedProxies",
  "hookPrivate",
  ...STUDIO_SETTINGS,
] as const;

const SETTINGS_OF_HEALTH = ["port", "host", "studioPort", "studioHost", "studioUrl"] as const;

/** Who needs which command, in the order in which the help lists them. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "To begin:": ["demo", "new", "import", "help"],
  "For owners and their records:": [
    "export",
    "convert",
    "schema",
    "history",
    "restore",
    "stats",
    "qr",
    "mcp",
  ],
  "For those who let people in:": ["user", "key", "hook", "invite"],
  "For those who run it:": ["serve", "studio", "health", "doctor", "backup", "migrate", "copy", "rebuild"],
  "For those who write a client:": ["openapi"],
  "For your shell:": ["completion", "man"],
};

const [FIRST_GROUP = ""] = Object.keys(GROUPS);

const HELP_COMMAND = ["help [command...]", "show help for a command"] as const;

type Flags = Partial<Record<SettingName, string>>;

/** Every command with its help. What a command does is loaded when it runs, so that `serve` starts fast. */
export function makeProgram(): Command {
  const program = withHelp(prepare(new Command("vitrine")).commandsGroup(FIRST_GROUP))
    .description("Your own profile and link trees back as data: a read-only JSON API behind a personal key.")
    .option("-v, --version", "print the version and its commit")
    .on("option:version", printVersion)
    .configureHelp({ groupItems: inOrder, minWidthToWrap: 20 })
    .addHelpText(
      "after",
      examplesText(["vitrine demo", "vitrine import ada.yaml", "vitrine key create ada@example.com"]),
    );

  addServerCommands(program);
  addStudioCommands(program);
  addRecordCommands(program);
  addKeyCommands(program);
  addHookCommands(program);
  addUserCommands(program);
  addReadingCommands(program);
  addUpkeepCommands(program);
  addShellCommands(program);

  for (const [group, names] of Object.entries(GROUPS))
    for (const name of names) program.commands.find((command) => command.name() === name)?.helpGroup(group);
  return program;
}

function addServerCommands(program: Command): void {
  add(program, "serve", {
    does: "serve the API",
    settings: SERVER_SETTINGS,
    examples: [
      "vitrine serve",
      "vitrine serve --port 8080 --database sqlite:/var/lib/vitrine/vitrine.db",
      "vitrine serve --workers auto --redis redis://127.0.0.1:6379 --metrics-port 9090",
    ],
  })
    .option("--no-migrate", "leave the schema as it is, and refuse to start where it is not the right one")
    .option("--no-copy", "take no copy of a SQLite database before its schema is brought up to date")
    .action(async (flags: Flags & { migrate: boolean; copy: boolean }) => {
      const { serve } = await import("./commands/serve.ts");
      const { migrate, copy } = flags;
      await serve(readSettings(SERVER_SETTINGS, flags), { migrate, copy });
    });

  prepare(program.command("serve-worker", { hidden: true })).action(async () => {
    const { serveWorker } = await import("./commands/serve-worker.ts");
    await serveWorker();
  });

  prepare(program.command("draw-previews", { hidden: true })).action(async () => {
    const { drawPreviews } = await import("./commands/draw-previews.ts");
    drawPreviews();
  });

  add(program, "demo", {
    does: "serve for a first look, with the studio: an empty database gets a sample profile and a key",
    settings: ALL_SETTINGS,
    examples: ["vitrine demo", "npm start"],
  }).action(async (flags: Flags) => {
    const { demo } = await import("./commands/demo.ts");
    await demo(readSettings(ALL_SETTINGS, flags));
  });
}

function addRecordCommands(program: Command): void {
  add(program, "import <files...>", {
    does: "load records from JSON, NDJSON or YAML files (- is standard input)",
    settings: ["database", "port", "host", "publicUrl"],
    examples: [
      "vitrine import ada.yaml",
      "vitrine import --dry-run people.ndjson",
      "cat people.ndjson | vitrine import -",
      "vitrine import resume.json --from jsonresume --dry-run",
    ],
  })
    .option("--dry-run", "check everything and say what would be done, but write nothing")
    .option("--json", "print the summary as JSON")
    .option(
      "--from <format>",
      "the one file is of another program: jsonresume, linkedin, linkstack, linktree or full",
    )
    .option("--email <address>", "with --from: whose record it is, where the file does not say")
    .option("--slug <slug>", "with --from: the handle of the profile and its link tree")
    .option("--public", "with --from: mark everything public")
    .action(async (files: string[], flags: Flags & BringFlags & { dryRun?: true; json?: true }) => {
      const summary = { dryRun: flags.dryRun === true, json: flags.json === true };
      if (flags.from !== undefined) {
        const { importForeign } = await import("./commands/bring.ts");
        const settings = readSettings(["database", "port", "host", "publicUrl"], flags);
        await importForeign(files, { ...flags, ...summary, ...settings });
        return;
      }
      refuseWithoutFrom(flags);
      const { importFiles } = await import("./commands/import.ts");
      await importFiles(files, { ...summary, ...readSettings(["database"], flags) });
    });

  add(program, "new <email>", {
    does: "print a record to start from, in YAML, that shows all there is",
    settings: ["port", "host", "publicUrl"],
    examples: ["vitrine new ada@example.com > ada.yaml"],
  }).action(async (email: string, flags: Flags) => {
    const { printStarter } = await import("./commands/new.ts");
    await printStarter(email, readSettings(["port", "host", "publicUrl"], flags));
  });

  add(program, "schema", {
    does: "print the JSON Schema of a record, for editors that complete and check",
    settings: [],
    examples: ["vitrine schema > record.schema.json"],
  }).action(async () => {
    const { printSchema } = await import("./commands/schema.ts");
    await printSchema();
  });

  add(program, "convert <file>", {
    does: "print a file of another program as a record in YAML, to look over and import",
    settings: [],
    examples: [
      "vitrine convert resume.json --from jsonresume > ada.yaml",
      "vitrine convert Basic_LinkedInDataExport.zip --from linkedin --email ada@example.com",
    ],
  })
    .requiredOption("--from <format>", "jsonresume, linkedin, linkstack, linktree or full")
    .option("--email <address>", "whose record it is, where the file does not say")
    .option("--slug <slug>", "the handle of the profile and its link tree")
    .option("--public", "mark everything public")
    .action(async (file: string, flags: BringFlags) => {
      const { convertFile } = await import("./commands/bring.ts");
      await convertFile(file, flags);
    });

  add(program, "export [email]", {
    does: "print a record as JSON or in another format, or all of them as NDJSON",
    settings: ["database"],
    examples: [
      "vitrine export ada@example.com > ada.json",
      "vitrine export ada@example.com --to vcard > ada.vcf",
      "vitrine export --all > people.ndjson",
    ],
  })
    .option("--all", "print every record, one a line")
    .option("--to <format>", "record, yaml, jsonresume, vcard, jsonld or markdown", "record")
    .option("--view <view>", "full, or public: without private values (default: full for record and yaml)")
    .action(async (email: string | undefined, flags: Flags & ExportFlags) => {
      const { exportRecords } = await import("./commands/export.ts");
      await exportRecords(email, { ...flags, ...readSettings(["database"], flags) });
    });
}

function addReadingCommands(program: Command): void {
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
      await stats(email, { ...flags, ...readSettings(["database"], flags) });
    });

  add(program, "qr <slug>", {
    does: "print the QR code of a link tree's page, or write it to a file",
    settings: ["database", "port", "host", "publicUrl"],
    examples: ["vitrine qr ada", "vitrine qr ada --public-url https://links.example --out ada.svg"],
  })
    .option("--out <file>", "write an image, SVG or PNG by the ending of the name")
    .action(async (slug: string, flags: Flags & { out?: string }) => {
      const { qr } = await import("./commands/qr.ts");
      await qr(slug, { ...flags, ...readSettings(["database", "port", "host", "publicUrl"], flags) });
    });

  add(program, "openapi", {
    does: "print the API's description in OpenAPI 3.1, as the server sends it",
    settings: ["publicUrl"],
    examples: ["vitrine openapi > openapi.json", "vitrine openapi --public-url https://links.example"],
  }).action(async (flags: Flags) => {
    const { printOpenApi } = await import("./commands/openapi.ts");
    await printOpenApi(readSettings(["publicUrl"], flags));
  });

  add(program, "mcp [email]", {
    does: "answer an agent over standard input and output (Model Context Protocol)",
    settings: ["database"],
    examples: [
      "vitrine mcp ada@example.com",
      "vitrine mcp ada@example.com --view public",
      "VITRINE_URL=https://links.example VITRINE_KEY=vit_... vitrine mcp",
    ],
  })
    .option(
      "--view <view>",
      "with an e-mail address: full, or public: without private values (default: full)",
    )
    .action(async (email: string | undefined, flags: Flags & { view?: string }) => {
      const { mcp } = await import("./commands/mcp.ts");
      await mcp(email, { ...flags, ...readElsewhere(), ...readSettings(["database"], flags) });
    });
}

function addUpkeepCommands(program: Command): void {
  add(program, "backup <file>", {
    does: "write a consistent copy of the database, also while the server runs",
    settings: ["database"],
    examples: ["vitrine backup vitrine-2026-11-15.db"],
  }).action(async (file: string, flags: Flags) => {
    const { backup } = await import("./commands/backup.ts");
    await backup(file, readSettings(["database"], flags));
  });

  add(program, "migrate", {
    does: "bring schema and documents of the database up to date, as `serve` does when it starts",
    settings: ["database"],
    examples: ["vitrine migrate", "vitrine migrate --json"],
  })
    .option("--no-copy", "take no copy of a SQLite database first")
    .option("--json", "print what was done as JSON")
    .action(async (flags: Flags & { copy: boolean; json?: true }) => {
      const { migrate } = await import("./commands/migrate.ts");
      await migrate({ ...flags, ...readSettings(["database"], flags) });
    });

  add(program, "copy", {
    does: "copy records, keys, hooks and counts to another database, and verify them there",
    settings: [],
    examples: ["vitrine copy --from sqlite:vitrine.db --to postgres://vitrine@db.example:5432/vitrine"],
  })
    .requiredOption("--from <url>", "the database to copy from, which is only read")
    .requiredOption("--to <url>", "the database to copy to: none yet, an empty one, or an unfinished copy")
    .option("--json", "print the summary as JSON")
    .action(async (flags: { from: string; to: string; json?: true }) => {
      const { copy } = await import("./commands/copy.ts");
      const [from, to] = [databaseAt("--from", flags.from), databaseAt("--to", flags.to)];
      await copy({ ...flags, from, to });
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
      await doctor(flags);
    });

  add(program, "health", {
    does: "ask the server that runs with the same settings whether it lives, for those who watch over it",
    settings: SETTINGS_OF_HEALTH,
    examples: ["vitrine health", "vitrine health --ready --port 8080", "vitrine health --studio"],
  })
    .option(
      "--ready",
      "ask whether it should get requests, which it should not while it stops or storage is away",
    )
    .option("--studio", "ask the studio")
    .action(async (flags: Flags & { ready?: true; studio?: true }) => {
      const { health } = await import("./commands/health.ts");
      const { ready = false, studio = false } = flags;
      await health(readSettings(SETTINGS_OF_HEALTH, flags), { ready, studio });
    });
}

function addShellCommands(program: Command): void {
  add(program, "completion <shell>", {
    does: "print completions of this command line, for bash, zsh or fish",
    settings: [],
    examples: [
      "vitrine completion bash > ~/.local/share/bash-completion/completions/vitrine",
      "vitrine completion fish > ~/.config/fish/completions/vitrine.fish",
    ],
  }).action(async (shell: string) => {
    const { printCompletion } = await import("./commands/completion.ts");
    printCompletion(shell, program);
  });

  add(program, "man", {
    does: "print the manual page of the program, in the form that man reads",
    settings: [],
    examples: ["vitrine man > vitrine.1"],
  }).action(async () => {
    const { printManual } = await import("./commands/man.ts");
    printManual(program);
  });
}

/** The groups of the table and what is in them, in its order; commander would take that in which commands are made. */
function inOrder<Item extends Command | Option>(
  all: Item[],
  shown: Item[],
  groupOf: (item: Item) => string,
): Map<string, Item[]> {
  const order = Object.entries(GROUPS).flat(2);
  const inTable = shown.toSorted((a, b) => order.indexOf(a.name()) - order.indexOf(b.name()));
  const groups = [...new Help().groupItems(all, inTable, groupOf)];
  return new Map(groups.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/** Printed by hand: Git is asked for the commit when somebody wants to know it, and not at every start. */
function printVersion(): never {
  write(1, `${VERSION} (${commit()})\n`);
  throw new CommanderError(0, "commander.version", VERSION);
}

function addKeyCommands(program: Command): void {
  const key = addGroup(program, "key", {
    does: "issue, list and end keys",
    examples: ["vitrine key create ada@example.com", "vitrine key list ada@example.com"],
  });

  add(key, "create <email>", {
    does: "make a key and print it, this once; - makes one for each address on standard input",
    settings: ["database"],
    examples: [
      "vitrine key create ada@example.com",
      "vitrine key create ada@example.com --name portfolio --view public --expires 90d",
      "vitrine key create ada@example.com --only linktrees,links",
      "vitrine key create - < addresses.txt > keys.csv",
    ],
  })
    .option("--name <name>", "what the key is for")
    .option("--expires <when>", "a span such as 90d or 12h, or a date")
    .option("--view <view>", `what it sees: ${VIEWS.join(" or ")}`, VIEWS[0])
    .option("--only <paths>", `all that it may read, of ${KEY_PATHS.join(",")} (default: everything)`)
    .action(async (email: string, flags: Flags & NewKeyFlags) => {
      const { createKey } = await import("./commands/key.ts");
      await createKey(email, { ...flags, ...readSettings(["database"], flags) });
    });

  add(key, "list [email]", {
    does: "list a user's keys, or those of all users that expire soon",
    settings: ["database"],
    examples: [
      "vitrine key list ada@example.com",
      "vitrine key list ada@example.com --json",
      "vitrine key list --expiring 14d",
    ],
  })
    .option("--expiring <span>", "only keys that expire within it; exits with 4 where there are some")
    .option("--json", "print JSON")
    .action(async (email: string | undefined, flags: Flags & { expiring?: string; json?: true }) => {
      const { listKeys } = await import("./commands/key.ts");
      await listKeys(email, { ...flags, ...readSettings(["database"], flags) });
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

function addHookCommands(program: Command): void {
  const hook = addGroup(program, "hook", {
    does: "announce changes to other systems",
    examples: ["vitrine hook add ada@example.com https://host.example/deploy/abc", "vitrine hook list"],
  });

  add(hook, "add <email> <url>", {
    does: "send a POST to a URL whenever a user's record has changed",
    settings: ["database", "hookPrivate"],
    examples: [
      "vitrine hook add ada@example.com https://host.example/deploy/abc",
      "vitrine hook add ada@example.com https://ada.example/hook --secret --events record.changed,key.expiring",
      "vitrine hook add ada@example.com https://ci.example/run --header 'Authorization: Bearer TOKEN' --body '{}'",
    ],
  })
    .option("--header <header>", "a header to send along, as 'Name: value'; may be given again", gather)
    .option("--body <text>", "what to send; nothing without it")
    .option("--secret", "sign each message by Standard Webhooks, and print the secret, this once")
    .option("--events <names>", "what to announce, separated by commas: record.changed, key.expiring")
    .option("--json", "print JSON")
    .action(async (email: string, url: string, flags: Flags & HookFlags) => {
      const { add } = await import("./commands/hook.ts");
      const settings = readSettings(["database", "hookPrivate"], flags);
      await add(email, url, { ...flags, ...settings });
    });

  add(hook, "list [email]", {
    does: "list hooks, of one user or of all",
    settings: ["database"],
    examples: ["vitrine hook list", "vitrine hook list ada@example.com --json"],
  })
    .option("--json", "print JSON")
    .action(async (email: string | undefined, flags: Flags & { json?: true }) => {
      const { list } = await import("./commands/hook.ts");
      await list(email, { ...flags, ...readSettings(["database"], flags) });
    });

  add(hook, "test <id>", {
    does: "send a message to a hook now, and say how it was answered",
    settings: ["database", "hookPrivate"],
    examples: ["vitrine hook test AZqTPyLwcACT4ckH5bJDVQ"],
  }).action(async (id: string, flags: Flags) => {
    const { test } = await import("./commands/hook.ts");
    await test(id, readSettings(["database", "hookPrivate"], flags));
  });

  add(hook, "remove <id>", {
    does: "remove a hook with its log",
    settings: ["database"],
    examples: ["vitrine hook remove AZqTPyLwcACT4ckH5bJDVQ"],
  }).action(async (id: string, flags: Flags) => {
    const { remove } = await import("./commands/hook.ts");
    await remove(id, readSettings(["database"], flags));
  });

  add(hook, "log <id>", {
    does: "show what was sent to a hook, and how that ended",
    settings: ["database"],
    examples: ["vitrine hook log AZqTPyLwcACT4ckH5bJDVQ", "vitrine hook log AZqTPyLwcACT4ckH5bJDVQ --json"],
  })
    .option("--json", "print JSON")
    .action(async (id: string, flags: Flags & { json?: true }) => {
      const { log } = await import("./commands/hook.ts");
      await log(id, { ...flags, ...readSettings(["database"], flags) });
    });
}

/** For an option that may be given more than once. */
function gather(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function addStudioCommands(program: Command): void {
  add(program, "studio", {
    does: "let owners edit in a browser, on a port of its own",
    settings: SETTINGS_OF_STUDIO,
    examples: [
      "vitrine studio --open",
      "vitrine studio --studio-url https://studio.example --public-url https://links.example",
      "vitrine studio --link",
    ],
  })
    .option("--open", "open the operator's link in a browser")
    .option("--link", "print a new link for the operator of a studio that runs, and end")
    .action(async (flags: Flags & { open?: true; link?: true }) => {
      const { printOperatorLink, studio } = await import("./commands/studio.ts");
      const settings = readSettings(SETTINGS_OF_STUDIO, flags);
      if (flags.link) await printOperatorLink(settings);
      else await studio(settings, { open: flags.open === true });
    });

  add(program, "invite <email>", {
    does: "print a link that lets an owner into the studio, once and within 7 days",
    settings: ["database", "studioPort", "studioUrl"],
    examples: ["vitrine invite ada@example.com", "vitrine invite ada@example.com --json"],
  })
    .option("--json", "print JSON")
    .action(async (email: string, flags: Flags & { json?: true }) => {
      const { inviteOwner } = await import("./commands/studio.ts");
      const settings = readSettings(["database", "studioPort", "studioUrl"], flags);
      await inviteOwner(email, { ...flags, ...settings });
    });

  add(program, "history <email>", {
    does: "list the last versions of a record, or print one of them",
    settings: ["database"],
    examples: ["vitrine history ada@example.com", "vitrine history ada@example.com --print 3 > ada.json"],
  })
    .option("--print <version>", "print the record of this version as JSON")
    .option("--json", "print the list as JSON")
    .action(async (email: string, flags: Flags & { print?: string; json?: true }) => {
      const { showHistory } = await import("./commands/history.ts");
      await showHistory(email, { ...flags, ...readSettings(["database"], flags) });
    });

  add(program, "restore <email> <version>", {
    does: "make an earlier version of a record the present one",
    settings: ["database"],
    examples: ["vitrine restore ada@example.com 3"],
  }).action(async (email: string, version: string, flags: Flags) => {
    const { restoreVersion } = await import("./commands/history.ts");
    await restoreVersion(email, version, readSettings(["database"], flags));
  });
}

function addUserCommands(program: Command): void {
  const user = addGroup(program, "user", {
    does: "list, show and delete users",
    examples: ["vitrine user list", "vitrine user show ada@example.com"],
  });

  add(user, "list", {
    does: "list all users",
    settings: ["database"],
    examples: ["vitrine user list", "vitrine user list --json"],
  })
    .option("--json", "print one JSON object a line")
    .action(async (flags: Flags & { json?: true }) => {
      const { listUsers } = await import("./commands/user.ts");
      await listUsers({ ...flags, ...readSettings(["database"], flags) });
    });

  add(user, "show <email>", {
    does: "show what there is of a user",
    settings: ["database"],
    examples: ["vitrine user show ada@example.com"],
  })
    .option("--json", "print JSON")
    .action(async (email: string, flags: Flags & { json?: true }) => {
      const { showUser } = await import("./commands/user.ts");
      await showUser(email, { ...flags, ...readSettings(["database"], flags) });
    });

  add(user, "delete <email>", {
    does: "delete a user with all link trees and keys",
    settings: ["database"],
    examples: ["vitrine user delete ada@example.com", "vitrine user delete ada@example.com --yes"],
  })
    .option("--yes", "do not ask")
    .action(async (email: string, flags: Flags & { yes?: true }) => {
      const { deleteUser } = await import("./commands/user.ts");
      await deleteUser(email, { ...flags, ...readSettings(["database"], flags) });
    });
}

/** What is about files of other programs would be ignored: a record of Vitrine's own says all of it itself. */
function refuseWithoutFrom(flags: BringFlags): void {
  const flag = (["email", "slug", "public"] as const).find((name) => flags[name] !== undefined);
  if (flag === undefined) return;
  throw new Misuse(
    `--${flag} is for a file of another program, which --from names`,
    `the same with --from FORMAT, or without --${flag}`,
  );
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

/** A command that only has others below it. */
function addGroup(program: Command, name: string, about: Omit<Description, "settings">): Command {
  return withHelp(add(program, name, { ...about, settings: [] }));
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

/**
 * One of its own for each command that has others below it: else commander would show the program's, under a heading
 * that the program has. The one that is listed would look one level down, and so another answers.
 */
function withHelp(parent: Command): Command {
  const [signature] = HELP_COMMAND;
  prepare(parent.command(signature, { hidden: true })).action((names: string[]) => showHelp(parent, names));
  // Commander would show the help of all for `nonsense --help`.
  return parent.helpCommand(...HELP_COMMAND).addHelpText("before", () => {
    const [name = ""] = parent.args;
    if (/^[^-]/.test(name) && !parent.commands.some((command) => command.name() === name))
      parent.parse([name], { from: "user" });
    return "";
  });
}

async function showHelp(parent: Command, [name, ...rest]: readonly string[]): Promise<void> {
  const below = parent.commands.find((command) => command.name() === name);
  if (below) return showHelp(below, rest);
  // What is not known is told as it is elsewhere. Behind the last command there may be arguments.
  if (name !== undefined && parent.commands.length > 0) await parent.parseAsync([name], { from: "user" });
  else parent.help();
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
