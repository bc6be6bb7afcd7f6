import { HEADER, PRIVATE_CACHE_CONTROL, SECURITY_HEADERS } from "../../contract/headers.ts";

const HEADERS = {
  ...SECURITY_HEADERS,
  [HEADER.contentType]: "image/svg+xml",
  [HEADER.cacheControl]: PRIVATE_CACHE_CONTROL,
};

/** An address as a code to scan. What draws it is loaded when somebody first wants one. */
export async function qrResponse(address: string): Promise<Response> {
  const { toString: toText } = await import("qrcode");
  return new Response(await toText(address, { type: "svg" }), { headers: HEADERS });
}
