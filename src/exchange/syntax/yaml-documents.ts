import { type Document, isScalar } from "yaml";

/** The documents of a file that have a value: a separator at its end opens one that nobody wrote. One alone is the file. */
export function documentsWithValue<Read extends Pick<Document, "contents">>(
  documents: readonly Read[],
): readonly Read[] {
  if (documents.length === 1) return documents;
  return documents.filter(
    ({ contents }) => contents !== null && !(isScalar(contents) && contents.value === null),
  );
}
