// The limit of Node's own HTTP server: a body from memory for each path, whoever asks.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const answers = JSON.parse(readFileSync(process.argv[2], "utf8"));
const routes = new Map(
  Object.entries(answers).map(([path, { file, headers }]) => {
    const body = readFileSync(file);
    return [path, { body, headers: { ...headers, "Content-Length": body.length } }];
  }),
);

const server = createServer((request, response) => {
  const answer = routes.get(request.url);
  if (!answer) return response.writeHead(404).end();
  response.writeHead(200, answer.headers).end(answer.body);
});
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`),
);
