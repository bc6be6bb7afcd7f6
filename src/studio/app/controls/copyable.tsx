import { useEffect, useState } from "preact/hooks";
import { announce } from "./announcer.tsx";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 2000;

/** A text to be copied. It is said for a moment whether that went well: a browser may refuse. */
export function Copyable({ text, what }: { readonly text: string; readonly what: string }) {
  const [outcome, setOutcome] = useState<{ readonly isCopied: boolean }>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome({ isCopied });
    announce(isCopied ? `${what} copied.` : `${what} could not be copied. Select the text to copy it.`);
  };
  return (
    <div class="secret">
      <code translate={false}>{text}</code>
      {/* A page that came unencrypted from another machine has no clipboard. */}
      {"clipboard" in navigator && (
        <button type="button" class="button" aria-label={`Copy ${what}`} onClick={copy}>
          <Icon name={outcome?.isCopied ? "done" : "copy"} />
          {outcome ? (outcome.isCopied ? "Copied" : "Not copied") : "Copy"}
        </button>
      )}
    </div>
  );
}
