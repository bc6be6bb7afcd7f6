import { useEffect, useState } from "preact/hooks";
import { announce } from "./announcer.tsx";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 2000;

/** Takes a text to the clipboard, and says so for a moment. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [copies, setCopies] = useState(0);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (copies === 0) return;
    setShown(true);
    const timer = setTimeout(() => setShown(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopies((count) => count + 1);
    announce(`${what} copied.`);
  };
  // A page that came unencrypted from another machine has no clipboard.
  if (!("clipboard" in navigator)) return null;
  return (
    <button type="button" class="button" aria-label={`Copy ${what}`} onClick={copy}>
      <Icon name={isShown ? "done" : "copy"} />
      {isShown ? "Copied" : "Copy"}
    </button>
  );
}
