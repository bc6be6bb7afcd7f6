/**
 * The limit of the runtime: one body from memory, whatever is asked. With a file of headers as well, every byte
 * of the answer is the same as Vitrine's.
 */
const [bodyFile, headersFile] = process.argv.slice(2) as [string, string?];
const body = await Bun.file(bodyFile).bytes();
const headers: Record<string, string> = headersFile
  ? await Bun.file(headersFile).json()
  : { "Content-Type": "application/json; charset=utf-8" };
const respond = () => new Response(body, { headers });

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  development: false,
  routes: {
    "/user/full": respond,
    "/user/linktrees": respond,
    "/t/:slug": respond,
    "/t/:slug/:linkId": respond,
  },
  fetch: () => new Response(null, { status: 404 }),
});
process.stdout.write(`${server.url.origin}\n`);
