import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { html } from "../../html/html.ts";
import { Log } from "../../logging/log.ts";
import { CannotListen } from "../../serving/listening.ts";
import { nextSignal } from "../../serving/signals.ts";
import { pagesUrl, type Settings } from "../../settings.ts";
import { engineAt } from "../../store/engines.ts";
import type { DatabaseLocation } from "../../store/location.ts";
import { studioAddress } from "../../studio/address.ts";
import { type Entrance, invite, operatorLink } from "../../studio/invitations.ts";
import { type OpenSettings, type OpenStudio, openStudio } from "../../studio/open.ts";
import { studioConflicts } from "../conflicts.ts";
import { existingUser, withStore } from "../database.ts";
import { Failure } from "../failure.ts";
import { print, printError, printJson, styled } from "../output.ts";
import { asTyped } from "../remedy.ts";

type Options = OpenSettings & Pick<Settings, "logLevel" | "port" | "host" | "publicUrl">;

/** Lets owners edit until the process is told to stop. */
export async function studio(settings: Options, { open }: { open: boolean }): Promise<void> {
  const [conflict] = studioConflicts(settings);
  if (conflict) throw conflict;
  const engine = await engineAt(settings.database);
  const isTerminal = process.stdout.isTTY === true;
  await using log = new Log({ level: settings.logLevel, readable: isTerminal });
  // A new database is made. One of an earlier version is left to `migrate` and `serve`.
  if (!(await engine.exists())) await engine.upgrade();
  await using running = await listeningStudio(settings, pagesUrl(settings), log);
  log.info("listening", { url: running.url });
  const link = open || isTerminal ? await linkFor(running.url, settings.database) : undefined;
  // Where nobody looks on, standard output is a log, and no secret belongs there.
  if (link && isTerminal) printLink(link);
  using _page = open && link ? openInBrowser(link.url) : undefined;

  const signal = await Promise.race([nextSignal(), running.replaced]);
  // Whoever looks after the process starts it anew, on the file that is there now.
  if (!signal) throw new Failure(`the database ${engine.name} was replaced or removed`, "vitrine studio");
  log.info("stopping", { signal });
}

/** A studio that listens, or throws `CannotListen`. */
export async function listeningStudio(
  settings: OpenSettings,
  publicUrl: string,
  log: Log,
): Promise<OpenStudio> {
  try {
    return await openStudio(settings, publicUrl, log);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EADDRNOTAVAIL") throw error;
    const { studioHost: host, studioPort: port } = settings;
    const flags = { hostFlag: "--studio-host", portFlag: "--studio-port" };
    throw new CannotListen({ host, port, ...flags }, error as NodeJS.ErrnoException);
  }
}

const LEADS_HERE = "STUDIO_URL is not set, so the link leads to this machine, which others do not reach.";

/** A link into a studio at an address, which its operator can open once. */
export function linkFor(origin: string, database: DatabaseLocation): Promise<Entrance> {
  return withStore(database, ({ access }) => operatorLink({ access, origin, now: Date.now() }));
}

export async function printOperatorLink({ database, studioUrl, studioPort }: Options): Promise<void> {
  print((await linkFor(studioAddress(studioUrl, studioPort).origin, database)).url);
  printError("It works once, within a day, while the studio runs.");
  if (!studioUrl) printError(LEADS_HERE);
}

function printLink({ url }: Entrance): void {
  print();
  print("  Open the studio as its operator, with a link that works once:");
  print();
  print("    ", styled("bold", url));
  print();
}

export async function inviteOwner(
  email: string,
  options: Pick<OpenSettings, "database" | "studioPort" | "studioUrl"> & { json?: true },
): Promise<void> {
  await withStore(options.database, async (store) => {
    const user = await existingUser(store, email);
    const { origin } = studioAddress(options.studioUrl, options.studioPort);
    const { url, expiresAt } = await invite(user.id, { access: store.access, origin, now: Date.now() });
    if (options.json) printJson({ email: user.email, url, expiresAt });
    else {
      print(url);
      printError(`It lets ${user.email} in once, until ${expiresAt.slice(0, 16).replace("T", " ")} UTC.`);
      if (!options.studioUrl) printError(LEADS_HERE);
    }
  });
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/**
 * Opens a link by way of a page in a file that only this user can read: everybody can see the arguments of a command.
 * The file goes when the program does.
 */
function openInBrowser(url: string): Disposable {
  const file = join(tmpdir(), `vitrine-studio-${crypto.randomUUID()}.html`);
  const page = html`<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${url}"><title>Vitrine studio</title>`;
  const opening = Bun.write(file, String(page), { mode: 0o600 }).then(async () => {
    const child = Bun.spawn([...(OPENERS[process.platform] ?? ["xdg-open"]), file], {
      stdout: "ignore",
      stderr: "ignore",
    });
    // An opener is there on machines without a browser as well, and then says so by how it ends.
    if ((await child.exited) !== 0) throw new Error("no browser");
  });
  const another = asTyped("vitrine studio --link");
  opening.catch(() => printError(`No browser could be opened. Print the link with: ${another}`));
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}
