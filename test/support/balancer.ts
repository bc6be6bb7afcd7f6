const CHECK_MS = 20;

interface Backend {
  readonly url: string;
  isReady: boolean;
}

/**
 * A small TCP balancer: it asks every backend whether it is ready, gives new connections to those that are, and
 * passes bytes on. It never sends a request twice.
 */
export class Balancer implements Disposable {
  readonly #backends = new Set<Backend>();
  readonly #listener: Bun.TCPSocketListener<Link>;
  readonly #timer = setInterval(() => void this.check(), CHECK_MS);
  #turn = 0;

  constructor() {
    this.#listener = Bun.listen<Link>({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (client) => {
          client.data = new Link(client, this.#next());
        },
        data: (client, bytes) => client.data.toBackend.send(bytes),
        drain: (client) => client.data.toClient.flush(),
        close: (client) => client.data.toBackend.end(),
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}`;
  }

  async add(url: string): Promise<void> {
    this.#backends.add({ url, isReady: false });
    await this.check();
  }

  async check(): Promise<void> {
    await Promise.all(
      [...this.#backends].map(async (backend) => {
        const ready = await fetch(`${backend.url}/readyz`, { headers: { Connection: "close" } }).then(
          ({ ok }) => ok,
          () => false,
        );
        backend.isReady = ready;
      }),
    );
  }

  /** The URLs of those that get new connections. */
  get ready(): string[] {
    return [...this.#backends].filter(({ isReady }) => isReady).map(({ url }) => url);
  }

  #next(): string {
    const { ready } = this;
    return ready[this.#turn++ % ready.length] ?? "";
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#listener.stop(true);
  }
}

/** One connection of a client and the one to a backend that belongs to it. */
class Link {
  readonly toClient: Pipe;
  readonly toBackend = new Pipe();

  constructor(client: Bun.Socket<Link>, backendUrl: string) {
    this.toClient = new Pipe();
    this.toClient.attach(client);
    const { hostname, port } = new URL(backendUrl);
    Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (backend) => this.toBackend.attach(backend),
        data: (_, bytes) => this.toClient.send(bytes),
        drain: () => this.toBackend.flush(),
        close: () => this.toClient.end(),
      },
    }).catch(() => this.toClient.end());
  }
}

/** Bytes on their way to a socket, which may take them later, or not all at once. */
class Pipe {
  #socket: Bun.Socket<unknown> | undefined;
  #waiting = Buffer.alloc(0);
  #isOver = false;

  attach(socket: Bun.Socket<unknown>): void {
    this.#socket = socket;
    this.flush();
  }

  send(bytes: Uint8Array): void {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    this.flush();
  }

  flush(): void {
    if (!this.#socket) return;
    if (this.#waiting.length > 0) this.#waiting = this.#waiting.subarray(this.#socket.write(this.#waiting));
    if (this.#isOver && this.#waiting.length === 0) this.#socket.end();
  }

  end(): void {
    this.#isOver = true;
    this.flush();
  }
}
