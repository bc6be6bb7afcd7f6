import { withDeadline } from "../async/maybe-promise.ts";
import { pictureHashIn } from "../contract/pictures.ts";
import { sceneIn } from "../html/preview.ts";
import type { PreviewSource } from "../http/parts.ts";
import type { Log } from "../logging/log.ts";
import type { PreviewWriter } from "../store/preview-writer.ts";
import type { DocumentReader, StoredPreview } from "../store/reader.ts";
import { type DrawingProcess, DrawingStopped } from "./drawing-process.ts";

/** How many pictures may be drawn or wait to be. Who asks for one more is to come back. */
export const MOST_WAITING = 16;

/** How long somebody waits who asks. What takes longer is drawn and kept all the same. */
export const PATIENCE_MS = 5000;

interface PreviewParts {
  readonly drawing: Pick<DrawingProcess, "draw">;
  readonly reader: Pick<DocumentReader, "readPicture">;
  readonly writer: PreviewWriter;
  /** While nothing can be kept, nothing is drawn: it would have to be drawn for everybody who asks. */
  readonly canKeep: () => boolean;
  readonly log: Log;
}

/** Has preview pictures drawn when they are first asked for, and keeps them. Who asks for the same waits for the same. */
export class Previews implements PreviewSource {
  readonly numbers = { drawn: 0, failed: 0, refused: 0 };
  readonly #parts: PreviewParts;
  readonly #underWay = new Map<string, Promise<Uint8Array | undefined>>();

  constructor(parts: PreviewParts) {
    this.#parts = parts;
  }

  async draw(wanted: StoredPreview): Promise<Uint8Array | undefined> {
    const name = JSON.stringify([wanted.userNumber, wanted.treeId, wanted.scene]);
    let drawn = this.#underWay.get(name);
    if (!drawn) {
      if (this.#underWay.size >= MOST_WAITING || !this.#parts.canKeep()) {
        this.numbers.refused++;
        return undefined;
      }
      drawn = this.#make(wanted).finally(() => this.#underWay.delete(name));
      this.#underWay.set(name, drawn);
    }
    try {
      return await withDeadline(drawn, PATIENCE_MS);
    } catch {
      return undefined;
    }
  }

  async #make(wanted: StoredPreview): Promise<Uint8Array | undefined> {
    const { log, writer } = this.#parts;
    let bytes: Uint8Array;
    try {
      bytes = await this.#drawn(wanted.scene);
      this.numbers.drawn++;
    } catch (error) {
      if (error instanceof DrawingStopped) return undefined;
      this.numbers.failed++;
      log.error("a preview picture could not be drawn", { reason: (error as Error).message });
      return undefined;
    }
    try {
      await writer.keep({ ...wanted, bytes });
    } catch (error) {
      log.warn("a preview picture could not be kept", { reason: (error as Error).message });
    }
    return bytes;
  }

  /** Only what was uploaded here is drawn; a picture elsewhere is never fetched. */
  async #drawn(scene: string): Promise<Uint8Array> {
    const { drawing, reader } = this.#parts;
    const hash = pictureHashIn(sceneIn(scene).picture);
    const picture = hash === undefined ? null : await reader.readPicture(hash);
    const drawnWith = (portrait: Uint8Array | undefined) => drawing.draw({ scene, picture: portrait });
    if (!picture) return drawnWith(undefined);
    try {
      return await drawnWith(picture.bytes);
    } catch {
      // That may have been the machine's fault, as for want of memory, and what is drawn now is kept. Only a portrait
      // that fails again, just after all went well without it, is left out, so that it takes no others along.
      const bare = await drawnWith(undefined);
      try {
        return await drawnWith(picture.bytes);
      } catch (error) {
        if (error instanceof DrawingStopped) throw error;
        return bare;
      }
    }
  }
}
