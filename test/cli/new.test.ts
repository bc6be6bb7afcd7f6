import { expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "yaml";
import { checkRecord } from "../../src/records/schema.ts";
import { done } from "../support/command-line.ts";
import { placesOf } from "../support/edit-record.ts";
import { Program } from "../support/program.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

/** The parts of a record that ids and timestamps of the server's are not. */
function fieldsOf(record: unknown): string[] {
  const names = placesOf(record).map((place) => place.replaceAll(/\[\d+\]/g, "[]"));
  return [
    ...new Set(names.filter((name) => !/(?:userId|edAt)$|links\[\]\.id$|technologies\[\]$/.test(name))),
  ];
}

test("new prints a record that imports as it stands, and shows every part of one", async () => {
  using program = new Program();
  const text = await done(program, ["new", "ada@example.com", "--public-url", "https://links.example"]);
  expect(text).toStartWith("# yaml-language-server: $schema=https://links.example/schema/record.json\n");
  const local = await done(program, ["new", "ada@example.com", "--port", "8080"]);
  expect(local).toStartWith("# yaml-language-server: $schema=http://127.0.0.1:8080/schema/record.json\n");
  await program.put("ada.yaml", text);
  expect(await done(program, ["import", "ada.yaml"])).toBe("created    ada@example.com");

  const whole = parse(text.replaceAll(/^( *)# ( *(?:- )?(?:\w+:(?: |$)|\{).*)$/gm, "$1$2")) as unknown;
  expect(checkRecord(whole)).toHaveProperty("input");
  const shown = fieldsOf(checkedRecord(whole));
  expect(fieldsOf(checkedRecord(writtenRecord())).filter((field) => !shown.includes(field))).toEqual([]);
});
