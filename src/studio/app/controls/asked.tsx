import type { Asked } from "../asking.ts";

/** What stands in the place of an answer until there is one. */
export function Awaited({ answer, refusal, again }: Asked<unknown>) {
  if (refusal !== undefined) return <Refused refusal={refusal} again={again} />;
  return answer === undefined ? <p class="hint">One moment…</p> : null;
}

interface RefusedProps {
  readonly refusal: string | undefined;
  readonly again?: () => void;
}

/** What the server refused to tell, with a way to ask again. */
export function Refused({ refusal, again }: RefusedProps) {
  if (refusal === undefined) return null;
  return (
    <p class="note warning" role="alert">
      {refusal}{" "}
      {again && (
        <button type="button" class="link" onClick={again}>
          Try again
        </button>
      )}
    </p>
  );
}
