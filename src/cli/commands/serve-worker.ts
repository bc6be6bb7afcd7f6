import { serveWorker as serve } from "../../serving/worker.ts";
import { explain } from "../explain.ts";
import { Failure } from "../failure.ts";

export async function serveWorker(): Promise<void> {
  if (!process.send)
    throw new Failure("only `vitrine serve --workers` starts workers", "vitrine serve --workers auto");
  await serve((error) => explain(error, "vitrine serve"));
}
