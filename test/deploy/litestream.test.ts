import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { done } from "../support/command-line.ts";
import { Program } from "../support/program.ts";

setDefaultTimeout(300_000);

/** What Litestream makes in a database that it copies, and how it keeps others from emptying the log before it. */
function asLitestream(file: string): Database {
  const database = new Database(file);
  database.run("PRAGMA journal_mode = wal");
  database.run("CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
  database.run("CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)");
  database.run("INSERT INTO _litestream_seq (id, seq) VALUES (1, 1)");
  database.run("BEGIN");
  database.query("SELECT COUNT(*) FROM _litestream_seq").get();
  return database;
}

test("the tables of Litestream, and its hold on the log, disturb neither migrate nor doctor, backup or copy", async () => {
  using program = new Program();
  const fixture = `${import.meta.dir}/../upgrades/0.1.0/vitrine.db.gz`;
  const packed = new Uint8Array(await Bun.file(fixture).arrayBuffer());
  await program.put("vitrine.db", Bun.gunzipSync(packed));
  using litestream = asLitestream(program.folder.file("vitrine.db"));
  expect(await done(program, ["migrate"])).toContain("Brought the schema from version");
  expect(await done(program, ["doctor"])).toEndWith("All is well.");
  await done(program, ["backup", "backup.db"]);
  expect(await done(program, ["copy", "--from", "sqlite:backup.db", "--to", "sqlite:copy.db"])).toContain(
    "Verified",
  );
  await using server = await program.serve();
  expect((await fetch(`${server.url}/t/ada`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
  litestream.run("COMMIT");
  expect(litestream.query("SELECT * FROM _litestream_seq").all()).toEqual([{ id: 1, seq: 1 }]);
});
