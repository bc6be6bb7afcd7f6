import { dirname, join } from "node:path";
import { NoEmail, NotInFormat, OtherFormat } from "../exchange/foreign/errors.ts";
import { ImportRefused, NothingToImport } from "../exchange/problems.ts";
import { NoFile } from "../exchange/source.ts";
import { MAX_TEXT_BYTES, TextTooLong } from "../exchange/syntax/text.ts";
import { CannotPutAside } from "../exchange/temporary.ts";
import { CannotListen } from "../serving/listening.ts";
import { isBuilt } from "../serving/own-command.ts";
import { WorkerFailed } from "../serving/worker-process.ts";
import { SettingError } from "../settings.ts";
import { FileExists, NoFolder, NoRoom } from "../store/engine.ts";
import { asUnavailable } from "../store/faults.ts";
import { DamagedRecord } from "../store/stored-record.ts";
import { OtherSchema, type StoreUnavailable } from "../store/unavailable.ts";
import { IMPORT_AGAIN, saidOfDamage } from "./damaged.ts";
import { Busy, Failure, Misuse } from "./failure.ts";
import { megabytes, plural } from "./output.ts";
import { shellWord } from "./shell-quotes.ts";

/** What a person is told of an error from below the command line: what is wrong, and what to type next. */
export function explain(error: unknown, commandName: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof SettingError) return new Misuse(error.message, `${commandName} --help`);
  if (error instanceof OtherSchema) return explainSchema(error);
  const fault = asUnavailable(error);
  if (fault) return explainStore(fault);
  if (error instanceof NoFolder) return new Failure(error.message, `mkdir -p ${shellWord(error.folder)}`);
  if (error instanceof FileExists) {
    const { message, file, isFolder } = error;
    const other = isFolder ? join(file, "vitrine.db") : file.replace(/(\.\w+)?$/, "-2$1");
    return new Failure(message, `${commandName} ${shellWord(other)}`);
  }
  if (error instanceof NoRoom)
    return new Failure(
      `the disk has no room for ${error.file} (${megabytes(error.bytes)})`,
      `df -h ${shellWord(dirname(error.file))}`,
    );
  if (error instanceof NoFile)
    return new Failure(
      error.message,
      error.isFolder ? `vitrine import ${shellWord(error.file)}/*.json` : `${commandName} --help`,
    );
  if (error instanceof CannotPutAside)
    return new Failure(error.message, "set TMPDIR to a folder that is there and has room: df -h");
  if (error instanceof ImportRefused) return explainRefusal(error);
  if (error instanceof NothingToImport) {
    const files = error.files.map((file) => (file === "-" ? "standard input" : file)).join(", ");
    return new Failure(`there is no record in ${files}; nothing was written`, "vitrine import --help");
  }
  if (error instanceof TextTooLong) {
    const what = error.line === undefined ? "a file" : `line ${error.line}`;
    return new Failure(
      `${what} is longer than ${megabytes(MAX_TEXT_BYTES)}; nothing was written`,
      "write one record a line, in a file that ends in .ndjson",
    );
  }
  if (error instanceof NoEmail) return new Failure(error.message, "the same with --email ADDRESS");
  if (error instanceof OtherFormat) return new Failure(error.message, `the same with --from ${error.found}`);
  if (error instanceof NotInFormat)
    return new Failure(`${error.message}; nothing was written`, "vitrine convert --help");
  if (error instanceof DamagedRecord) return new Failure(saidOfDamage(error.user), IMPORT_AGAIN);
  if (error instanceof CannotListen) return explainPlace(error, commandName);
  if (error instanceof WorkerFailed) return new Failure(error.message, error.remedy);
  return new Failure((error as Error)?.message ?? String(error), remedyBySystem(error) ?? "vitrine doctor");
}

/** What to do where the system refuses a file, an output or a folder, of which the doctor knows nothing. */
function remedyBySystem(error: unknown): string | undefined {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  switch (code) {
    case "EACCES":
    case "EPERM":
      return path && `run Vitrine as a user who may do that: ls -ld ${shellWord(path)}`;
    case "EROFS":
      return "name a place on another file system: no user may write to this one";
    case "EDQUOT":
    case "ENOSPC":
      return "make room where it is written to: df -h";
    default:
      return undefined;
  }
}

function explainRefusal({ problems, records, written }: ImportRefused): Failure {
  const found = `${plural(problems, "problem")} in ${plural(records, "record")}`;
  if (written === 0)
    return new Failure(
      `${found}; nothing was written`,
      "mend what is listed above and run the same import again",
    );
  return new Failure(
    `${found}, made by another writer during the import; ${plural(written, "record")} before were written`,
    "mend the records and run the same import again: what is stored already stays as it is",
  );
}

export function explainSchema({ message, version }: OtherSchema, upgrade = "vitrine migrate"): Failure {
  return new Failure(message, version.found < version.expected ? upgrade : "use a newer Vitrine");
}

/** A database that cannot be used. Where only a look at it helps, that is the doctor's. */
export function explainStore(
  { message, fault, file: named }: StoreUnavailable,
  lookAtIt = "vitrine doctor",
): Failure {
  const file = named ?? "FILE";
  switch (fault) {
    case "no-folder":
      return new Failure(message, `mkdir -p ${shellWord(dirname(file))}`);
    case "no-permission":
      return new Failure(
        message,
        named
          ? `run Vitrine as the user who owns the file: ls -l ${shellWord(file)}`
          : "name the role that owns the schema vitrine in DATABASE_URL, or grant this one what it lacks",
      );
    case "read-only":
      return new Failure(
        message,
        `make both writable for the user who runs Vitrine: ls -ld ${shellWord(dirname(file))} ${shellWord(file)}`,
      );
    case "standby":
      return new Failure(
        message,
        "name the primary with --database; if it is the primary, set its default_transaction_read_only to off",
      );
    case "damaged":
      return new Failure(
        message,
        `stop the server, delete ${file}-wal and ${file}-shm, and put the last backup in the place of ${file}`,
      );
    case "foreign":
      return new Failure(message, "name another database with --database");
    case "locked":
      return new Busy(
        "another process holds the database locked",
        "try again when the other process is done",
      );
    case "no-room":
      // Only PostgreSQL has a disk that may be elsewhere.
      return new Failure(
        message,
        named ? `df -h ${shellWord(dirname(named))}` : "make room on the disk of the database",
      );
    case "encoding":
      return new Failure(
        message,
        "createdb --encoding=UTF8 --locale=C --template=template0 NAME, and name that one in DATABASE_URL",
      );
    default:
      return new Failure(message, lookAtIt);
  }
}

function explainPlace({ place, code, message }: CannotListen, commandName: string): Failure {
  const { host, port, hostFlag, portFlag } = place;
  // Who looks for the first time has typed `npm start`, and knows of nothing else yet.
  const command = commandName === "vitrine demo" && !isBuilt() ? "npm start --" : commandName;
  switch (code) {
    case "EADDRNOTAVAIL":
      return new Failure(`${host} is not an address of this machine`, `${command} ${hostFlag} 127.0.0.1`);
    case "EADDRINUSE":
      return new Failure(
        `port ${port} of ${host} is in use`,
        `${command} ${portFlag} ${port === 65_535 ? 3000 : port + 1}`,
      );
    default:
      // The ports below 1024 are root's. Another one stays, as a usual one may be that of the server or the studio.
      return new Failure(
        `cannot serve on ${host} port ${port}: ${message}`,
        `${command} ${hostFlag} 127.0.0.1 ${portFlag} ${port > 0 && port < 1024 ? port + 8000 : port}`,
      );
  }
}
