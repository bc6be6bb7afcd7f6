import { connect } from "node:net";
import { until } from "./until.ts";

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection over which a test sends bytes as they are, and sees what comes back. */
export class RawConnection implements Disposable {
  readonly #received: Buffer[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #socket: Bun.Socket | undefined;
  #rest = Buffer.alloc(0);
  #isClosed = false;

  static async to(url: string): Promise<RawConnection> {
    const connection = new RawConnection();
    const { protocol, hostname, port } = new URL(url);
    connection.#socket = await Bun.connect({
      hostname,
      port: Number(port),
      tls: protocol === "https:" && { rejectUnauthorized: false },
      socket: {
        drain: () => connection.#write(),
        data: (_, chunk) => void connection.#received.push(Buffer.from(chunk)),
        close: () => {
          connection.#isClosed = true;
          connection.#closed.resolve();
        },
        error: (_, error) => connection.#closed.reject(error),
      },
    });
    return connection;
  }

  send(bytes: string): void {
    this.#rest = Buffer.concat([this.#rest, Buffer.from(bytes, "latin1")]);
    this.#write();
  }

  #write(): void {
    if (this.#rest.length > 0) this.#rest = this.#rest.subarray(this.#socket?.write(this.#rest) ?? 0);
  }

  /** Reads no more than the system does by itself. */
  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  get receivedBytes(): number {
    return this.#received.reduce((sum, { length }) => sum + length, 0);
  }

  /** Settled when the server has closed it. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Fails where the last answer is not whole. */
  answers(): RawAnswer[] {
    return parseAnswers(Buffer.concat(this.#received).toString("latin1"));
  }

  /** Sends a request, and waits for its answer. */
  async ask(bytes: string): Promise<RawAnswer> {
    this.#received.length = 0;
    this.send(bytes);
    return until("an answer", () => {
      try {
        return this.answers()[0];
      } catch (error) {
        if (this.#isClosed) throw error;
        return undefined;
      }
    });
  }

  [Symbol.dispose](): void {
    this.#socket?.terminate();
  }
}

/**
 * Sends bytes as they are to a server and waits until it closes the connection. Say `Connection: close` in the
 * last request of a sound sequence; whatever is not sound, the server should end by itself.
 */
export async function sendRaw(url: string, bytes: string): Promise<RawAnswer[]> {
  using connection = await RawConnection.to(url);
  connection.send(bytes);
  await connection.closed;
  return connection.answers();
}

/** The same, with the own side closed behind the bytes. A socket of Bun's would then drop what it receives. */
export async function sendRawAndClose(url: string, bytes: string): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.end(bytes, "latin1");
  const received: Buffer[] = await Array.fromAsync(socket);
  return parseAnswers(Buffer.concat(received).toString("latin1"));
}

/** Reads answers one after the other: a body is as long as its Content-Length says, or comes in pieces. */
function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) throw new Error(`an answer breaks off: ${JSON.stringify(rest)}`);
    const [statusLine = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    rest = rest.slice(end + 4);
    const { body, length } =
      headers.get("transfer-encoding") === "chunked"
        ? chunkedBody(rest)
        : bodyOf(rest, Number(headers.get("content-length") ?? 0));
    const status = /^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1];
    if (status === undefined) throw new Error(`no status line: ${JSON.stringify(statusLine)}`);
    answers.push({ status: Number(status), headers, body });
    rest = rest.slice(length);
  }
  return answers;
}

function bodyOf(text: string, length: number) {
  const body = text.slice(0, length);
  return { body, length: body.length };
}

/** RFC 9112, section 7.1: pieces, each behind its length, and an empty one at the end. */
function chunkedBody(text: string) {
  const pieces: string[] = [];
  for (let at = 0; ; ) {
    const lineEnd = text.indexOf("\r\n", at);
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (lineEnd === -1 || Number.isNaN(size)) throw new Error("an answer in pieces breaks off");
    pieces.push(text.slice(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
    if (size === 0) return { body: pieces.join(""), length: at };
  }
}
