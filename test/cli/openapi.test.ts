import { expect, test } from "bun:test";
import { expectRefusal } from "../support/command-line.ts";
import { openApi, text } from "../support/openapi.ts";
import { Program } from "../support/program.ts";

test("vitrine openapi prints what the server sends, and needs no database", async () => {
  using program = new Program();
  const { stdout, stderr, exitCode } = await program.run(["openapi"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toBe(text);
  expect(await Bun.file(program.folder.file("vitrine.db")).exists()).toBe(false);
});

test("vitrine openapi names the address that visitors use, where it is known", async () => {
  using program = new Program();
  const { stdout } = await program.run(["openapi", "--public-url", "https://links.example"]);
  expect(JSON.parse(stdout)).toEqual({ ...openApi, servers: [{ url: "https://links.example" }] });
});

test("vitrine openapi refuses an address that is none", async () => {
  using program = new Program();
  expectRefusal(await program.run(["openapi", "--public-url", "links"]), {
    error: /^--public-url is "links"/,
    remedy: "vitrine openapi --help",
    exitCode: 2,
  });
});
