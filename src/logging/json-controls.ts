/** JSON lets these controls stand, and terminals obey some of them. Escaped, they mean the same to a reader. */
export function withoutControls(json: string): string {
  return json.replace(/[\x7f-\x9f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}
