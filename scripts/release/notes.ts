/** What the changelog says of a version. */
export function notesOf(changelog: string, version: string): string {
  const [, section] = changelog.split(new RegExp(`^## ${RegExp.escape(version)}(?: .*)?\n`, "m"));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  const text = (section.split(/^## /m)[0] ?? "").trim();
  if (text === "") throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return `${text}\n`;
}
