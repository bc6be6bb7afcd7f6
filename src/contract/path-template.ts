/**
 * What stands in a path for the parameters of a template, by their names, such as `slug` of `/t/:slug`; undefined where
 * the path is another one. Both come as the steps between their slashes.
 */
export function paramsIn(
  given: readonly string[],
  template: readonly string[],
): Record<string, string> | undefined {
  if (given.length !== template.length) return undefined;
  const params: Record<string, string> = {};
  for (const [position, part] of template.entries()) {
    const value = given[position] ?? "";
    if (part.startsWith(":") && value !== "") params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}
