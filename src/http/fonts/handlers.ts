import { HEADER, LASTING_CACHE_CONTROL, SECURITY_HEADERS } from "../../contract/headers.ts";
import { FONTS } from "../../html/fonts.ts";
import type { Routed } from "../exchange.ts";
import { routed } from "../exchange-handler.ts";
import type { Serving } from "../parts.ts";

const FONT_HEADERS = {
  ...SECURITY_HEADERS,
  [HEADER.contentType]: "font/woff2",
  [HEADER.cacheControl]: LASTING_CACHE_CONTROL,
};

/** The fonts of our pages. Nothing of them is read before somebody asks. */
export function fontHandlers(serving: Serving): Routed[] {
  return FONTS.map(({ path, file }) => {
    const font = () => new Response(Bun.file(file), { headers: FONT_HEADERS });
    return routed(path, serving, font);
  });
}
