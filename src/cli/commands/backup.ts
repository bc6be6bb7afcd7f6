import { engineAt } from "../../store/engines.ts";
import type { DatabaseOption } from "../database.ts";
import { Failure, NoDatabase } from "../failure.ts";
import { onInterruption } from "../interruption.ts";
import { megabytes, print } from "../output.ts";
import { ProgressBar } from "../progress.ts";
import { shellWord } from "../shell-quotes.ts";

export async function backup(file: string, { database }: DatabaseOption): Promise<void> {
  const engine = await engineAt(database);
  if (!engine.backup)
    throw new Failure(
      "a PostgreSQL database is backed up with PostgreSQL's own tools",
      engine.dumpCommand?.(shellWord(file)),
    );
  if (!(await engine.exists())) throw new NoDatabase(engine.name);
  using bar = new ProgressBar("Copying");
  using interruption = onInterruption(() => "no backup was written.");
  const bytes = await engine.backup.write(file, {
    onProgress: (written, total) => bar.update(written, total),
    signal: interruption.signal,
  });
  bar.end();
  print(
    `Wrote ${file} (${megabytes(bytes)}). To restore: stop the server, delete the database's -wal and -shm files, and put this file in its place.`,
  );
}
