import { useEffect, useRef, useState } from "preact/hooks";
import { useDoing } from "../asking.ts";
import { call, Refusal } from "../calls.ts";
import { announce } from "../controls/announcer.tsx";
import { Refused } from "../controls/asked.tsx";
import { Dialog } from "../controls/dialog.tsx";
import { useEditor } from "../editing/editor.ts";

/** The length of a side of what is stored, and of what is shown while it is cut. */
const STORED_PX = 512;
const SHOWN_PX = 320;
const MOST_BYTES = 256 * 1024;
const MOST_ZOOM = 4;
/** How far an arrow key moves the picture, as a part of what is seen. */
const STEP = 0.03;

const MOVES: Readonly<Record<string, readonly [byX: number, byY: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** The square that is cut out: its centre as parts of the picture, and how much it is enlarged. */
interface Cut {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

const MIDDLE: Cut = { x: 0.5, y: 0.5, zoom: 1 };

/** Cuts a square out of a picture, here in the browser, and stores that alone. */
export function PictureDialog({ file, onClose }: { readonly file: File; readonly onClose: () => void }) {
  const editor = useEditor();
  const [picture, setPicture] = useState<ImageBitmap>();
  const [isNone, setNone] = useState(false);
  const [cut, setCut] = useState(MIDDLE);
  const { isBusy, refusal, run } = useDoing();
  const isOpen = useRef(true);

  useEffect(() => {
    createImageBitmap(file).then(setPicture, () => setNone(true));
    return () => {
      isOpen.current = false;
    };
  }, [file]);

  const move = (byX: number, byY: number) => {
    if (picture) setCut((before) => moved(before, picture, byX, byY));
  };
  const use = async () => {
    if (!picture) return;
    const isDone = await run(async () => {
      const { url } = await call("uploadPicture", { user: editor.user, body: await encoded(picture, cut) });
      // Whoever has cancelled meanwhile wants it no more.
      if (!isOpen.current) return;
      editor.edit(["profile", "avatarUrl", "value"], url);
      announce("The picture is there. Save to keep it.");
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title="Cut the picture" onClose={onClose}>
      {isNone ? (
        <p class="note warning" role="alert">
          This file cannot be read as a picture. A JPEG, PNG or WebP works everywhere.
        </p>
      ) : (
        <>
          <p>Drag the picture, or move it with the arrow keys, until the circle shows what you want.</p>
          <Cutter picture={picture} cut={cut} move={move} />
          <div class="field">
            <label for="zoom">Size</label>
            <input
              id="zoom"
              type="range"
              min="1"
              max={MOST_ZOOM}
              step="0.01"
              value={cut.zoom}
              onInput={(event) => {
                const zoom = Number(event.currentTarget.value);
                if (picture) setCut((before) => moved({ ...before, zoom }, picture, 0, 0));
              }}
            />
          </div>
        </>
      )}
      <Refused refusal={refusal} />
      <div class="actions">
        {!isNone && (
          <button
            type="button"
            class="button primary"
            disabled={!picture}
            aria-disabled={isBusy}
            onClick={() => void use()}
          >
            Use this picture
          </button>
        )}
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

interface CutterProps {
  readonly picture: ImageBitmap | undefined;
  readonly cut: Cut;
  /** By parts of what is seen. */
  readonly move: (byX: number, byY: number) => void;
}

/** Shows what is cut out, and is dragged over the picture, or moved over it by keys. */
function Cutter({ picture, cut, move }: CutterProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const grip = useRef({ x: 0, y: 0 });
  useEffect(() => {
    if (picture && canvas.current) draw(canvas.current, picture, cut, SHOWN_PX * 2);
  }, [picture, cut]);
  return (
    <canvas
      ref={canvas}
      class="cutter"
      width={SHOWN_PX * 2}
      height={SHOWN_PX * 2}
      tabIndex={0}
      role="img"
      aria-label="The part of the picture that is kept. Arrow keys move it."
      onKeyDown={(event) => {
        const by = MOVES[event.key];
        if (!by) return;
        event.preventDefault();
        move(...by);
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        if (event.isPrimary) grip.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={(event) => {
        // One finger moves it, and not a second one as well.
        if (!event.isPrimary || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const side = event.currentTarget.clientWidth;
        // What the event calls its movement are pixels of the screen, of which an enlarged page has more.
        const { x, y } = grip.current;
        grip.current = { x: event.clientX, y: event.clientY };
        move((x - event.clientX) / side, (y - event.clientY) / side);
      }}
    />
  );
}

/** The side of the square in pixels of the picture. */
function sideOf({ width, height }: ImageBitmap, { zoom }: Cut): number {
  return Math.min(width, height) / zoom;
}

/** The cut moved by parts of what is seen, and never beyond the edge of the picture. */
function moved(cut: Cut, picture: ImageBitmap, byX: number, byY: number): Cut {
  const side = sideOf(picture, cut);
  const within = (centre: number, by: number, length: number) => {
    const half = side / 2 / length;
    return Math.min(1 - half, Math.max(half, centre + (by * side) / length));
  };
  return { ...cut, x: within(cut.x, byX, picture.width), y: within(cut.y, byY, picture.height) };
}

function draw(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  picture: ImageBitmap,
  cut: Cut,
  size: number,
): void {
  const context = canvas.getContext("2d") as
    | CanvasRenderingContext2D
    | OffscreenCanvasRenderingContext2D
    | null;
  if (!context) return;
  const side = sideOf(picture, cut);
  const [left, top] = [cut.x * picture.width - side / 2, cut.y * picture.height - side / 2];
  context.imageSmoothingQuality = "high";
  context.clearRect(0, 0, size, size);
  context.drawImage(picture, left, top, side, side, 0, 0, size, size);
}

/** The square as a file: WebP where the browser can write it, otherwise JPEG, and as good as fits. */
async function encoded(picture: ImageBitmap, cut: Cut): Promise<Blob> {
  const size = Math.max(1, Math.round(Math.min(STORED_PX, sideOf(picture, cut))));
  const canvas = new OffscreenCanvas(size, size);
  draw(canvas, picture, cut, size);
  for (const quality of [0.9, 0.8, 0.65, 0.5, 0.3]) {
    let file = await canvas.convertToBlob({ type: "image/webp", quality });
    if (file.type !== "image/webp") {
      putOnWhite(canvas);
      file = await canvas.convertToBlob({ type: "image/jpeg", quality });
    }
    if (file.size <= MOST_BYTES) return file;
  }
  throw new Refusal({ fault: "too-large", message: "This picture is too rich in detail. Try another one." });
}

/** A JPEG shows black where a picture is transparent. */
function putOnWhite(canvas: OffscreenCanvas): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
}
