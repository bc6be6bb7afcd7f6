import { connect, type Socket } from "node:net";

/** What a hostile client sends: bytes as they are, and whether it reads what comes back. */
interface Attack {
  readonly bytes: (paths: readonly string[]) => string;
  readonly reads: boolean;
}

function request(line: string, ...headers: readonly string[]): string {
  return [line, "Host: vitrine.test", ...headers, "", ""].join("\r\n");
}

function anyOf(paths: readonly string[]): string {
  return paths[Math.floor(Math.random() * paths.length)] ?? "/";
}

const ATTACKS: readonly Attack[] = [
  // Words that mean nothing to HTTP.
  { bytes: () => request("FOO / HTTP/1.1"), reads: true },
  { bytes: () => "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", reads: true },
  { bytes: () => "GET / HTTP/1.1\r\nHost: h:99999\r\n\r\n", reads: true },
  { bytes: () => request("GET /t/%ff%fe HTTP/1.1"), reads: true },
  { bytes: () => request("GET /user/full HTTP/1.1", `X-Long: ${"x".repeat(20_000)}`), reads: true },
  // Keys that are none.
  { bytes: () => request("GET /user/full HTTP/1.1", "Authorization: Bearer vit_no-key"), reads: true },
  {
    bytes: () => request("GET /user/full HTTP/1.1", `Authorization: Bearer vit_${"a".repeat(49)}`),
    reads: true,
  },
  // Bodies that nobody asked for, and two requests in one.
  {
    bytes: () =>
      `${request("POST /user/full HTTP/1.1", "Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\nX: y\r\n\r\n`,
    reads: true,
  },
  {
    bytes: (paths) => request(`GET ${anyOf(paths)} HTTP/1.1`) + request("GET /healthz HTTP/1.1"),
    reads: true,
  },
  // Headers that never end, and answers that nobody reads.
  { bytes: () => "GET /user/full HTTP/1.1\r\nHost: vitrine.test\r\nX-Slow: ", reads: false },
  { bytes: (paths) => request(`GET ${anyOf(paths)} HTTP/1.1`, "Accept-Encoding: gzip"), reads: false },
  { bytes: () => request("GET /openapi.json HTTP/1.1"), reads: false },
];

/** Visits that are what they should be: each is counted. */
const VISIT: Attack = {
  bytes: (paths) => request(`GET ${anyOf(paths)} HTTP/1.1`, "Connection: close", "User-Agent: Mozilla/5.0"),
  reads: true,
};

/** How long a connection that does not read is held. */
const HELD_MS = 3000;

/** Sends this many hostile requests, and as many visits, a second, until it is stopped. */
export class HostileClients implements Disposable {
  readonly #port: number;
  readonly #paths: readonly string[];
  readonly #sockets = new Set<Socket>();
  readonly #timer: ReturnType<typeof setInterval>;
  sent = 0;

  constructor(url: string, paths: readonly string[], perSecond: number) {
    this.#port = Number(new URL(url).port);
    this.#paths = paths;
    const everyMs = 20;
    this.#timer = setInterval(() => {
      for (let count = 0; count < (perSecond * everyMs) / 1000; count++) {
        this.#send(ATTACKS[this.sent % ATTACKS.length] as Attack);
        this.#send(VISIT);
      }
    }, everyMs);
  }

  #send({ bytes, reads }: Attack): void {
    this.sent++;
    const socket = connect(this.#port, "127.0.0.1");
    this.#sockets.add(socket);
    const hold = setTimeout(() => socket.destroy(), reads ? HELD_MS / 3 : HELD_MS);
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(hold);
      this.#sockets.delete(socket);
    });
    if (reads) socket.on("data", () => {});
    else socket.pause();
    socket.write(bytes(this.#paths));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
  }
}
