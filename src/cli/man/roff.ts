/** Text as it stands in a manual page: nothing in it is taken for a request or an escape. */
export function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replace(/^(?=[.'])/gm, "\\&");
}

export function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

export function italic(text: string): string {
  return `\\fI${roff(text)}\\fR`;
}

export function section(title: string, ...lines: readonly string[]): string[] {
  return [`.SH ${title.toUpperCase()}`, ...lines];
}

/** A term, and below it what it means. */
export function item(term: string, ...meaning: readonly string[]): string[] {
  return [".TP", term, ...meaning];
}

/** Lines to type, as they are. */
export function typed(lines: readonly string[]): string[] {
  return [".RS 4", ".nf", ...lines.map(roff), ".fi", ".RE"];
}
