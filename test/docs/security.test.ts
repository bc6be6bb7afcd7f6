import { describe, expect, test } from "bun:test";
import { sendRaw } from "../support/raw-connection.ts";
import { startTestServer } from "../support/server.ts";
import { firstTable, readFile, sectionOf } from "./markdown.ts";

const HOST = "Host: localhost\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const LONG = "a".repeat(20_000);

/** What the table says of each status, as bytes. */
const REFUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "400": {
    "no Host": "GET /healthz HTTP/1.1\r\n\r\n",
    "a target without a slash": `GET healthz HTTP/1.1\r\n${HOST}\r\n`,
    "no colon": `GET /healthz HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`,
    "a continued line": `GET /healthz HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`,
    "a control character": `GET /healthz HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`,
    "a length that is no number": `POST /healthz HTTP/1.1\r\n${HOST}Content-Length: +5\r\n\r\nhello`,
    "two lengths": `POST /healthz HTTP/1.1\r\n${HOST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    "a length and chunks": `POST /healthz HTTP/1.1\r\n${HOST}Content-Length: 5\r\n${CHUNKED}\r\n0\r\n\r\n`,
    "a chunk that lies": `POST /healthz HTTP/1.1\r\n${HOST}${CHUNKED}\r\n3\r\nhello\r\n0\r\n\r\n`,
  },
  "413": {
    "a long body": `POST /healthz HTTP/1.1\r\n${HOST}Content-Length: ${2 ** 53}\r\n\r\n`,
    "much behind the size of a chunk": `POST /healthz HTTP/1.1\r\n${HOST}${CHUNKED}\r\n5;${LONG}\r\nhello\r\n0\r\n\r\n`,
  },
  "431": {
    "long headers": `GET /healthz HTTP/1.1\r\n${HOST}X: ${LONG}\r\n\r\n`,
    "a long path": `GET /${LONG} HTTP/1.1\r\n${HOST}\r\n`,
    "many headers": `GET /healthz HTTP/1.1\r\n${HOST}${"X: a\r\n".repeat(250)}\r\n`,
  },
  "505": {
    "a version to come": `GET /healthz HTTP/2.0\r\n${HOST}\r\n`,
    "a version between": `GET /healthz HTTP/1.2\r\n${HOST}\r\n`,
    "no version": "GET /healthz\r\n\r\n",
    "a space in the path": `GET /health z HTTP/1.1\r\n${HOST}\r\n`,
  },
};

describe("SECURITY.md, of what is refused before Vitrine sees it,", () => {
  const page = readFile("SECURITY.md");

  test("names exactly these statuses", () => {
    const rows = firstTable(sectionOf(page, "Refused before Vitrine sees it"));
    expect(rows.map(({ Status }) => Status ?? "")).toEqual(Object.keys(REFUSED));
  });

  const rows = Object.entries(REFUSED).flatMap(([status, requests]) =>
    Object.entries(requests).map(([what, bytes]) => ({ status, what, bytes })),
  );

  test.each(rows)("is right that $what gets $status, an empty body and no word in the log", async (row) => {
    await using server = await startTestServer();
    const answers = await sendRaw(server.url, row.bytes);
    const last = answers.at(-1);
    expect([last?.status, last?.body]).toEqual([Number(row.status), ""]);
    expect([...(last?.headers ?? [])]).toEqual([["connection", "close"]]);
    // An answer that was sent before a chunk turned out to be wrong is Vitrine's own, and has its line.
    expect(server.logged()).toHaveLength(answers.length - 1);
    expect(answers.slice(0, -1).map(({ status }) => status)).toEqual(answers.length > 1 ? [405] : []);
  });

  test("is right that everything else has the JSON body", async () => {
    await using server = await startTestServer();
    const sound = [
      "GET /user/full HTTP/1.0\r\n\r\n",
      `GET /user/full HTTP/1.1\r\n${HOST}Content-Length: ${2 ** 53}\r\nConnection: close\r\n\r\n`,
      `POST /user/full HTTP/1.1\r\n${HOST}Content-Length: ${2 ** 53 - 1}\r\nConnection: close\r\n\r\n`,
      `GET /nowhere HTTP/1.1\r\n${HOST}X: ${"a".repeat(15_000)}\r\nConnection: close\r\n\r\n`,
      "GET /user/full HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
    ];
    for (const bytes of sound) {
      const [answer] = await sendRaw(server.url, bytes);
      expect(Object.keys(JSON.parse(answer?.body ?? "") as object)).toEqual([
        "statusCode",
        "message",
        "error",
      ]);
    }
  });
});
