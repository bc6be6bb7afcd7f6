export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends bytes as they are to a server and waits until it closes the connection. Say `Connection: close` in the
 * last request of a sound sequence; whatever is not sound, the server should end by itself.
 */
export async function sendRaw(url: string, bytes: string): Promise<RawAnswer[]> {
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  const { hostname, port } = new URL(url);
  const received: Buffer[] = [];
  let rest = Buffer.from(bytes, "latin1");
  const write = (socket: Bun.Socket) => {
    rest = rest.subarray(socket.write(rest));
  };
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: write,
      drain: write,
      data: (_, chunk) => void received.push(Buffer.from(chunk)),
      close: () => resolve(),
      error: (_, error) => reject(error),
    },
  });
  await closed;
  return parseAnswers(Buffer.concat(received).toString("latin1"));
}

/** Reads answers one after the other: a body is as long as its Content-Length says. */
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
    const length = Number(headers.get("content-length") ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    const status = /^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1];
    if (status === undefined) throw new Error(`no status line: ${JSON.stringify(statusLine)}`);
    answers.push({ status: Number(status), headers, body });
    rest = rest.slice(end + 4 + body.length);
  }
  return answers;
}
