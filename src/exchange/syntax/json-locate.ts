import type { Span } from "./position.ts";

/** A string, a sign, or any other value; white space is skipped. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;

/**
 * Where the value at the end of a path stands in a text that is JSON, or the deepest of its holders that is there. It is
 * only asked for once a problem was found, and so reads the text from its start.
 */
export function locateInJson(text: string, path: readonly (string | number)[]): Span {
  const tokens = text.matchAll(TOKEN);
  let token = tokens.next().value;
  const advance = () => {
    token = tokens.next().value;
  };

  /** Goes past the value that the present token begins. */
  function skip(): void {
    let depth = 0;
    do {
      if (token?.[0] === "{" || token?.[0] === "[") depth++;
      else if (token?.[0] === "}" || token?.[0] === "]") depth--;
      advance();
    } while (depth > 0 && token);
  }

  let found: Span = { name: 0, value: 0 };
  if (token) found = { name: token.index, value: token.index };
  steps: for (const step of path) {
    const opening = token?.[0];
    if (opening !== (typeof step === "number" ? "[" : "{")) break;
    advance();
    for (let index = 0; token && token[0] !== "}" && token[0] !== "]"; index++) {
      const name = token.index;
      let isIt = index === step;
      if (opening === "{") {
        isIt = JSON.parse(token[0]) === step;
        advance();
        advance();
      }
      if (isIt && token) {
        found = { name, value: token.index };
        continue steps;
      }
      skip();
      if (token?.[0] === ",") advance();
    }
    break;
  }
  return found;
}
