/** The limit of the runtime: one body, from memory, whatever is asked. */
const body = await Bun.file(process.argv[2] as string).bytes();
const headers = { "Content-Type": "application/json; charset=utf-8" };
const respond = () => new Response(body, { headers });

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  development: false,
  routes: { "/user/full": respond, "/user/linktrees": respond },
  fetch: () => new Response(null, { status: 404 }),
});
process.stdout.write(`${server.url.origin}\n`);
