import { useEffect, useRef, useState } from "preact/hooks";
import { call, Refusal } from "../calls.ts";
import { Refused } from "../controls/asked.tsx";
import { Icon } from "../controls/icon.tsx";
import { useWidth } from "../controls/use-width.ts";
import { useDraft, useEditor } from "../editing/editor.ts";

/** How long after the last keystroke the page is made anew. */
const QUIET_MS = 300;

const DEVICES = {
  phone: { name: "Phone", width: 390, height: 780 },
  desktop: { name: "Desktop", width: 1280, height: 860 },
} as const;

const SCHEMES = { light: "Light", dark: "Dark" } as const;

type Device = keyof typeof DEVICES;
type Scheme = keyof typeof SCHEMES;

/** The page of a tree as it would be if it were saved now: made by the server, from what is being edited. */
export function PagePreview({ tree }: { readonly tree: number }) {
  const [device, setDevice] = useState<Device>("phone");
  const [scheme, setScheme] = useState<Scheme>(() =>
    matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  );
  const { pages, isStale, shown, refusal, again } = usePages(tree, scheme);
  const room = useRef<HTMLDivElement>(null);
  const width = useWidth(room);
  const size = DEVICES[device];
  const scale = width === 0 ? 1 : Math.min(1, width / size.width);
  return (
    <aside class="preview" aria-label="Preview of the page">
      <div class="preview-head">
        <fieldset class="toggles" aria-label="Size">
          {(Object.keys(DEVICES) as Device[]).map((one) => (
            <button key={one} type="button" aria-pressed={device === one} onClick={() => setDevice(one)}>
              <Icon name={one} />
              <span>{DEVICES[one].name}</span>
            </button>
          ))}
        </fieldset>
        <fieldset class="toggles" aria-label="Colours">
          {(Object.keys(SCHEMES) as Scheme[]).map((one) => (
            <button key={one} type="button" aria-pressed={scheme === one} onClick={() => setScheme(one)}>
              <Icon name={one} />
              <span>{SCHEMES[one]}</span>
            </button>
          ))}
        </fieldset>
      </div>
      <Refused refusal={refusal} again={again} />
      {isStale && (
        <p class="hint">Something in the record has to be mended before the page can be shown anew.</p>
      )}
      <div ref={room} class={`frame ${device}`} style={{ height: `${size.height * scale}px` }}>
        {pages.map(({ number, html }, place) => (
          <iframe
            key={number}
            title="The page"
            // No scripts, no forms, no way out: an owner's words are looked at here, and nothing else.
            sandbox=""
            tabIndex={-1}
            aria-hidden={place < pages.length - 1}
            srcdoc={html}
            onLoad={() => shown(number)}
            style={{ width: `${size.width}px`, height: `${size.height}px`, scale: `${scale}` }}
          />
        ))}
      </div>
    </aside>
  );
}

interface Page {
  readonly number: number;
  readonly html: string;
}

/** The newest page, and below it the one before until the newest is painted, so that nothing flickers. */
function usePages(tree: number, scheme: Scheme) {
  const editor = useEditor();
  const edited = useDraft(({ linkTrees }) => linkTrees[tree]);
  const profile = useDraft((draft) => draft.profile);
  const [pages, setPages] = useState<readonly Page[]>([]);
  const [isStale, setStale] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [turn, setTurn] = useState(0);
  const isFirst = useRef(true);
  useEffect(() => {
    let isOver = false;
    const draw = async () => {
      isFirst.current = false;
      try {
        const body = { record: editor.draft, tree, scheme };
        const { html } = await call("previewPage", { user: editor.user, body });
        if (isOver) return;
        setRefusal(undefined);
        setStale(html === null);
        if (html !== null)
          setPages((before) => [
            ...before.slice(-1),
            { number: (before.at(-1)?.number ?? 0) + 1, html: unlinked(html) },
          ]);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (!isOver) setRefusal(error.message);
      }
    };
    const timer = setTimeout(() => void draw(), isFirst.current ? 0 : QUIET_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [editor, edited, profile, tree, scheme, turn]);
  const shown = (number: number) => setPages((now) => now.filter((page) => page.number >= number));
  return { pages, isStale, shown, refusal, again: () => setTurn(turn + 1) };
}

/** A page whose links lead nowhere: a click in the preview must not take the reader to another page. */
function unlinked(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const link of page.querySelectorAll("a[href]")) link.removeAttribute("href");
  return `<!doctype html>${page.documentElement.outerHTML}`;
}
