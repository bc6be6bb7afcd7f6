/** A server that is no Vitrine, for what stands between a client and one: proxies, portals, silence. */
export function startNeighbour(answer: () => Response | Promise<Response>) {
  const asked: { readonly url: string; readonly headers: Record<string, string> }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked.push({ url: request.url, headers: request.headers.toJSON() });
      return answer();
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, asked, [Symbol.asyncDispose]: () => server.stop(true) };
}
