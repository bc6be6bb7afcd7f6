/** What the server refused to tell, with a way to ask again. */
export function Refused({
  refusal,
  again,
}: {
  readonly refusal: string | undefined;
  readonly again?: () => void;
}) {
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

export function Waiting({ isOver }: { readonly isOver: boolean }) {
  return isOver ? null : <p class="hint">One moment…</p>;
}
