import { drawForParent } from "../../previews/process.ts";
import { Failure } from "../failure.ts";

export function drawPreviews(): void {
  if (!process.send) throw new Failure("only `vitrine serve` starts what draws previews", "vitrine serve");
  drawForParent();
}
