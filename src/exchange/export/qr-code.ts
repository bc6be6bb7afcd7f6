import { toBuffer, toString as toText } from "qrcode";

/** Wide enough for print: a code has 25 to 60 modules to a side. */
const PIXELS_PER_MODULE = 16;

/** An address as a code to scan, by the kind of the image. */
export const QR_CODES = {
  svg: (address: string) => toText(address, { type: "svg" }),
  png: (address: string) => toBuffer(address, { type: "png", scale: PIXELS_PER_MODULE }),
} as const;
