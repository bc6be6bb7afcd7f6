#!/usr/bin/env bun
import { mintKey } from "../src/keys/key.ts";

/*
 * Somebody who tries keys: so many well-formed ones a second that nobody has, over connections that are kept, each with
 * one request at a time. Runs until it is told to stop, and then prints how many were answered, and with what.
 */
const [url = "", perSecond = "0", path = "/user/full"] = process.argv.slice(2);

const CONNECTIONS = 64;
const EVERY_MS = 1;

/** What a proxy would say of whom this is. */
const ADDRESS = "203.0.113.7";

/** More would not change what is measured: none of them is in the database. */
const requests = Array.from({ length: 1000 }, () =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: vitrine.test\r\nX-Forwarded-For: ${ADDRESS}\r\nAuthorization: Bearer ${mintKey()}\r\n\r\n`,
  ),
);

const { hostname, port } = new URL(url);
const idle: Bun.Socket[] = [];
const answers = new Map<string, number>();
let sent = 0;

for (let count = 0; count < CONNECTIONS; count++) {
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void idle.push(socket),
      data(socket, data) {
        const status = data.toString("latin1", 9, 12);
        answers.set(status, (answers.get(status) ?? 0) + 1);
        idle.push(socket);
      },
      close: () => {
        process.stderr.write("the server closed a connection\n");
        process.exit(1);
      },
    },
  });
}

const startedAt = performance.now();
const timer = setInterval(() => {
  const due = ((performance.now() - startedAt) / 1000) * Number(perSecond);
  // Where the server is behind, what it could not take is left out, as by somebody who waits for answers.
  for (; sent < due; sent++) idle.shift()?.write(requests[sent % requests.length] as Buffer);
}, EVERY_MS);

process.on("SIGTERM", () => {
  clearInterval(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(JSON.stringify({ seconds, answers: Object.fromEntries(answers) }));
  process.exit(0);
});
process.stdout.write("ready\n");
