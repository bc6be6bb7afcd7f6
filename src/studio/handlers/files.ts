import { picturePath } from "../../contract/pictures.ts";
import { pagePath } from "../../contract/routes.ts";
import { QR_CODES } from "../../exchange/export/qr-code.ts";
import { pictureIn } from "../../store/pictures.ts";
import type { SomeHandlers } from "../call.ts";
import { notFound, StudioFault } from "../faults.ts";
import { checkFile, fileOf } from "../record-file.ts";
import { storedRecord } from "../records.ts";
import { fileResponse } from "../responses.ts";

/** What goes out and comes in as a file. */
export const files: SomeHandlers<"exportRecord" | "readUpload" | "drawQrCode" | "uploadPicture"> = {
  async exportRecord(call) {
    const format = call.query.get("format") === "json" ? "json" : "yaml";
    const { record } = await storedRecord(call);
    return fileResponse(
      await fileOf(record, format),
      format === "json" ? "application/json; charset=utf-8" : "application/yaml; charset=utf-8",
      `${record.profile.slug}.${format}`,
    );
  },

  readUpload: (call) => checkFile(call, call.body),

  async drawQrCode(call) {
    const { slug } = call.params;
    const { record } = await storedRecord(call);
    if (!record.linkTrees.some((tree) => tree.slug === slug)) throw notFound("link tree");
    const address = call.studio.publicUrl + pagePath(slug);
    if (call.query.get("format") !== "png")
      return fileResponse(await QR_CODES.svg(address), "image/svg+xml", `${slug}.svg`);
    return fileResponse(new Uint8Array(await QR_CODES.png(address)), "image/png", `${slug}.png`);
  },

  async uploadPicture({ studio, user, body }) {
    const picture = pictureIn(body);
    if (!picture) throw new StudioFault("not-a-picture", "That is no JPEG, PNG or WebP picture.");
    await studio.store.pictures.put(user.id, picture);
    return { url: studio.publicUrl + picturePath(picture) };
  },
};
