/** A request that a receiver of hooks has got. */
export interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Receives what hooks send, at a free port of this machine, and answers as it is told. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #server: ReturnType<typeof Bun.serve>;

  constructor(answer: (received: Received) => Response | Promise<Response> = () => new Response()) {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      development: false,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const received = { path: pathname + search, headers: request.headers, body: await request.text() };
        this.received.push(received);
        return answer(received);
      },
    });
  }

  url(path = "/hook"): string {
    return new URL(path, this.#server.url).href;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.stop(true);
  }
}
