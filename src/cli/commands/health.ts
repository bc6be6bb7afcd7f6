import { HEALTH_PATH, READY_PATH } from "../../contract/routes.ts";
import type { Settings, StudioSettings } from "../../settings.ts";
import { studioAddress } from "../../studio/address.ts";
import { Failure, Misuse } from "../failure.ts";
import { print } from "../output.ts";

/** The longest that a process may take to answer, shorter than supervisors wait for the command itself. */
const MAX_WAIT_MS = 3000;

type Options = Pick<Settings, "port" | "host"> &
  Pick<StudioSettings, "studioPort" | "studioHost" | "studioUrl">;

/** Asks the process that runs with the same settings how it is. Where no shell is, this is all that can ask. */
export async function health(
  settings: Options,
  { ready, studio }: { ready: boolean; studio: boolean },
): Promise<void> {
  if (ready && studio) throw new Misuse("only a server says whether it is ready", "vitrine health --studio");
  const { command, ...question } = studio ? ofStudio(settings) : ofServer(settings, ready);
  if (question.port === 0)
    throw new Misuse("port 0 is a free one, and does not say which", "vitrine health --help");
  const status = await statusOf(question);
  if (status instanceof Error)
    throw new Failure(
      `nothing answers on ${question.address} port ${question.port}: ${status.message}`,
      command,
    );
  if (status === 421)
    throw new Failure(
      `the studio on port ${question.port} answers to another name than ${question.name}`,
      "the same with --studio-url, as the studio was started",
    );
  if (status !== 200)
    throw new Failure(`${question.path} on port ${question.port} answers ${status}`, "vitrine doctor");
  print(ready ? "ready" : "ok");
}

interface Question {
  readonly address: string;
  readonly port: number;
  readonly path: string;
  /** The name that it is asked by. */
  readonly name: string;
}

function ofServer({ host, port }: Options, ready: boolean): Question & { readonly command: string } {
  const path = ready ? READY_PATH : HEALTH_PATH;
  return { address: reachable(host), port, path, name: "localhost", command: `vitrine serve --port ${port}` };
}

/** A studio answers to one name alone, and has a page in place of a path for this. */
function ofStudio({ studioHost, studioPort, studioUrl }: Options): Question & { readonly command: string } {
  const { host: name } = studioAddress(studioUrl, studioPort);
  return {
    address: reachable(studioHost),
    port: studioPort,
    path: "/",
    name,
    command: `vitrine studio --studio-port ${studioPort}`,
  };
}

/** Who listens on every address can be reached on the loopback one. */
function reachable(host: string): string {
  return { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
}

/** Not by `fetch`, which would ask a proxy of the environment about this very machine. */
async function statusOf({ address, port, path, name }: Question): Promise<number | Error> {
  // Imported above, it would be loaded by every command.
  const { request } = await import("node:http");
  const { promise, resolve } = Promise.withResolvers<number | Error>();
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  const options = { host: address, port, path, headers: { Host: name }, agent: false, signal } as const;
  const asked = request(options, (response) => {
    resolve(response.statusCode ?? 0);
    response.destroy();
  });
  asked.on("error", (error) =>
    resolve(signal.aborted ? new Error(`no answer within ${MAX_WAIT_MS / 1000} seconds`) : error),
  );
  asked.end();
  return promise;
}
