import { HEADER, SECURITY_HEADERS } from "../../contract/headers.ts";
import { FONTS } from "../../html/fonts.ts";
import type { Handler } from "../exchange.ts";
import { exchangeHandler } from "../exchange-handler.ts";
import type { Serving } from "../parts.ts";
import { withRequestId } from "../steps/request-id.ts";

const FONT_HEADERS = {
  ...SECURITY_HEADERS,
  [HEADER.contentType]: "font/woff2",
  [HEADER.cacheControl]: "public, max-age=31536000, immutable",
};

/** The fonts of our pages. Nothing of them is read before somebody asks. */
export function fontHandlers(serving: Serving): (readonly [path: string, handler: Handler])[] {
  return FONTS.map(({ path, file }) => {
    const font = () => new Response(Bun.file(file), { headers: FONT_HEADERS });
    return [path, exchangeHandler(path, serving, withRequestId(font))] as const;
  });
}
