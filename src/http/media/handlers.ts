import { ApiError } from "../../contract/errors.ts";
import { HEADER, LASTING_CACHE_CONTROL, SECURITY_HEADERS } from "../../contract/headers.ts";
import { pictureHash, picturePath } from "../../contract/pictures.ts";
import { PICTURE_PATH } from "../../contract/routes.ts";
import type { Routed, Work } from "../exchange.ts";
import { routed } from "../exchange-handler.ts";
import type { Serving } from "../parts.ts";

/** A picture is named for its bytes, so that it never changes. Sites of owners show it, too. */
const PICTURE_HEADERS = {
  ...SECURITY_HEADERS,
  [HEADER.crossOriginResourcePolicy]: "cross-origin",
  [HEADER.cacheControl]: LASTING_CACHE_CONTROL,
};

/** The pictures that owners uploaded. */
export function mediaHandlers(serving: Serving): Routed[] {
  const show: Work<typeof PICTURE_PATH> = async (request, { params: { name } }) => {
    const hash = pictureHash(name);
    const picture = hash === undefined ? null : await serving.reader.readPicture(hash);
    const path = `/media/${name}`;
    if (!picture || picturePath({ hash: hash ?? "", type: picture.type }) !== path)
      throw new ApiError("unknown_path", { detail: `GET ${path}` });
    serving.giveTimeToRead(request, picture.bytes.length);
    return new Response(new Uint8Array(picture.bytes), {
      headers: { ...PICTURE_HEADERS, [HEADER.contentType]: picture.type },
    });
  };
  return [routed(PICTURE_PATH, serving, show)];
}
