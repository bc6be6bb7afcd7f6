import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };
import { once } from "../async/once.ts";
import { PREVIEW_WIDTH, sceneIn } from "../html/preview.ts";
import { type Portrait, sceneMarkup } from "./markup.ts";
import { drawingOf } from "./theme.ts";
import { typefaceOf } from "./typefaces.ts";

const start = once(async () => initWasm(await Bun.file(wasm).arrayBuffer()));

/** The side of a portrait as it is drawn, and the most pixels that one may have to be looked at. */
const PORTRAIT_PX = 592;
const MOST_PIXELS = 4096 * 4096;

/** Draws a scene as a PNG. A picture that cannot be read leaves the initial. Nothing is fetched. */
export async function drawPreview(scene: string, picture: Uint8Array | undefined): Promise<Uint8Array> {
  await start();
  const shown = sceneIn(scene);
  const typeface = await typefaceOf(drawingOf(shown).face);
  const markup = sceneMarkup(shown, typeface, picture && (await portraitOf(picture)));
  const drawing = new Resvg(markup, {
    fitTo: { mode: "width", value: PREVIEW_WIDTH },
    font: { fontBuffers: [...typeface.files], defaultFontFamily: typeface.family },
  });
  const rendered = drawing.render();
  try {
    return rendered.asPng();
  } finally {
    rendered.free();
    drawing.free();
  }
}

/** As PNG, whatever it was: of the kinds that owners upload, what draws reads no WebP. */
async function portraitOf(picture: Uint8Array): Promise<Portrait> {
  try {
    const image = new Bun.Image(picture, { maxPixels: MOST_PIXELS });
    const small = image.resize(PORTRAIT_PX, PORTRAIT_PX, { fit: "inside", withoutEnlargement: true });
    return (await small.png().bytes()).toBase64();
  } catch {
    return undefined;
  }
}
