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

/**
 * More scans than any program gives to a JPEG. One takes 30 bytes, and goes over all of the picture: thousands of them
 * take a minute.
 */
const MOST_SCANS = 100;

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
  if (hasTooManyScans(Buffer.from(picture))) return undefined;
  try {
    const image = new Bun.Image(picture, { maxPixels: MOST_PIXELS });
    const small = image.resize(PORTRAIT_PX, PORTRAIT_PX, { fit: "inside", withoutEnlargement: true });
    return (await small.png().bytes()).toBase64();
  } catch {
    return undefined;
  }
}

/** ITU-T T.81, section B.1.1.5: within a scan no marker can stand. In other kinds of picture the bytes are rare. */
function hasTooManyScans(picture: Buffer): boolean {
  const startOfScan = Buffer.from([0xff, 0xda]);
  let scans = 0;
  for (let at = picture.indexOf(startOfScan); at !== -1; at = picture.indexOf(startOfScan, at + 2)) scans++;
  return scans > MOST_SCANS;
}
