import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { expectRefusal, fewerPeople, manyPeople, ndjson } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { withSmallDisk } from "../support/small-disk.ts";

setDefaultTimeout(300_000);

const PEOPLE = 600;

withSmallDisk((scriptOn) => {
  describe("a disk that is full", () => {
    test("is that of the database, wherever the command was run", async () => {
      using program = new Program();
      await program.put("people.ndjson", manyPeople(PEOPLE));
      const script = "vitrine import people.ndjson --database sqlite:small/people.db";
      expectRefusal(await program.runScript(scriptOn(400_000, script)), {
        error: "the disk of the database small/people.db is full",
        remedy: "df -h small",
      });
    });

    test("in the middle of an import leaves what was saved before, and is told with how much that is", async () => {
      using program = new Program();
      await program.put("people.ndjson", fewerPeople(PEOPLE));
      const script = "vitrine import people.ndjson --database sqlite:small/people.db";
      const outcome = await program.runScript(scriptOn(2_200_000, script));
      expectRefusal(outcome, { error: "the disk of the database small/people.db is full" });
      expect(outcome.stderr).toMatch(
        /^Interrupted: at least [1-9]\d* of 600 records are saved\. Run the same command again for the rest\.\n/,
      );
    });

    const onFullDisk = (command: string) => `
      export DATABASE_URL=sqlite:small/people.db
      vitrine import one.ndjson >/dev/null
      dd if=/dev/zero of=small/rest bs=4k status=none 2>&- || true
      vitrine ${command}`;

    test.each(["serve --port 0", "studio --studio-port 0", "import one.ndjson", "migrate"])(
      "to the last byte is what %s names, where nobody has the database open",
      async (command) => {
        using program = new Program();
        await program.put("one.ndjson", ndjson([writtenRecord(1)]));
        expectRefusal(await program.runScript(scriptOn(1_000_000, onFullDisk(command))), {
          error: "cannot open the database small/people.db: the disk is full",
          remedy: "df -h small",
        });
      },
    );

    test.each(["backup copy.db", "export --all", "user list"])(
      "to the last byte lets %s read all the same",
      async (command) => {
        using program = new Program();
        await program.put("one.ndjson", ndjson([writtenRecord(1)]));
        const { stderr, exitCode } = await program.runScript(scriptOn(1_000_000, onFullDisk(command)));
        expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
      },
    );

    test("to the last byte is what doctor finds, and leaves nothing behind that it tried it with", async () => {
      using program = new Program();
      await program.put("one.ndjson", ndjson([writtenRecord(1)]));
      const script = `${onFullDisk("doctor")} || ls small | grep tried || echo nothing`;
      const { stdout, stderr } = await program.runScript(scriptOn(1_000_000, script));
      expect(stdout).toContain(
        "✗ Database: the disk of the database small/people.db is full\n  → df -h small\n",
      );
      expect(stdout).toContain("✓ Documents: those of 1 user equal what their records compile to\n");
      expect(stdout).toEndWith("\nnothing\n");
      expect(stderr).toBe("Error: 1 check failed\nTry: df -h small\n");
    });

    test("to the last bytes is told where a new database is made", async () => {
      using program = new Program();
      await program.put("one.ndjson", ndjson([writtenRecord(1)]));
      const script = "vitrine import one.ndjson --database sqlite:small/people.db";
      expectRefusal(await program.runScript(scriptOn(20_480, script)), {
        error: "the disk of the database small/people.db is full",
        remedy: "df -h small",
      });
    });

    test.each(["people.ndjson", "- < people.ndjson"])(
      "is that of the temporary folder, for an import of %s",
      async (file) => {
        using program = new Program();
        await program.put("people.ndjson", manyPeople(PEOPLE));
        expectRefusal(
          await program.runScript(scriptOn(100_000, `TMPDIR=$PWD/small vitrine import ${file}`)),
          {
            error: /^cannot write to the temporary folder \S+\/small: /,
            remedy: "set TMPDIR to a folder that is there and has room: df -h",
          },
        );
      },
    );
  });
});

test("an output that is full is no matter of the database", async () => {
  using program = new Program();
  expectRefusal(await program.runScript("vitrine schema > /dev/full"), {
    error: /^ENOSPC: /,
    remedy: "make room where it is written to: df -h",
  });
});

test("a temporary folder that is not there is named, and so is the variable that names it", async () => {
  using program = new Program({ TMPDIR: "/nowhere" });
  await program.put("one.ndjson", ndjson([writtenRecord(1)]));
  expectRefusal(await program.run(["import", "one.ndjson"]), {
    error: /^cannot write to the temporary folder \/nowhere: ENOENT/,
    remedy: "set TMPDIR to a folder that is there and has room: df -h",
  });
});
