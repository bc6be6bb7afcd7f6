/** The most characters (Unicode code points) that the name of a key has. */
export const MAX_NAME_LENGTH = 200;

export function isNameTooLong(name: string): boolean {
  return [...name].length > MAX_NAME_LENGTH;
}
