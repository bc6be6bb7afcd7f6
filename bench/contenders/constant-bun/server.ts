/** The limit of the runtime: a body from memory for each path, whoever asks. */
interface Answer {
  readonly file: string;
  readonly headers: Record<string, string>;
}

const answers = (await Bun.file(process.argv[2] ?? "").json()) as Record<string, Answer>;
const routes = await Promise.all(
  Object.entries(answers).map(async ([path, { file, headers }]) => {
    const body = await Bun.file(file).bytes();
    return [path, () => new Response(body, { headers })] as const;
  }),
);

const server = Bun.serve({
  port: Number(process.env.PORT ?? 0),
  hostname: "127.0.0.1",
  development: false,
  routes: Object.fromEntries(routes),
  fetch: () => new Response(null, { status: 404 }),
});
process.stdout.write(`${server.url.origin}\n`);
