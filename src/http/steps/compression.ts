import { HEADER } from "../../contract/headers.ts";

/** RFC 9110, section 12.4.2: at most three decimals. */
const WEIGHT = /^\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** Almost every request says what the one before it said. */
let lastAccepted = "";
let lastAnswer = false;

/** Whether gzip is what a caller would rather have than the plain form. */
export function acceptsGzip(request: Request): boolean {
  const accepted = request.headers.get(HEADER.acceptEncoding) ?? "";
  if (accepted === lastAccepted) return lastAnswer;
  lastAnswer = prefersGzip(accepted);
  lastAccepted = accepted;
  return lastAnswer;
}

/** RFC 9110, section 12.5.3: a star stands for every coding that is not named, the plain form included. */
function prefersGzip(accepted: string): boolean {
  const weights = new Map<string, number>();
  for (const element of accepted.split(",")) {
    const [, coding = "", rest = ""] = /^([^\s;]*)(.*)$/.exec(element.trim()) ?? [];
    const name = coding.toLowerCase().replace(/^x-gzip$/, "gzip");
    if (!weights.has(name)) weights.set(name, weightOf(rest));
  }
  const others = weights.get("*") ?? 0;
  const gzip = weights.get("gzip") ?? others;
  return gzip > 0 && gzip >= (weights.get("identity") ?? others);
}

/** What is no weight asks for nothing. */
function weightOf(parameters: string): number {
  return parameters === "" ? 1 : Number(WEIGHT.exec(parameters)?.[1] ?? 0);
}
