/** A small display case with three shelves: the same as the icon of the pages. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M9 10h14M9 16h14M9 22h9" />
    </svg>
  );
}
