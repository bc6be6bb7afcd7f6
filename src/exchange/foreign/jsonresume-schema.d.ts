/** The package comes without types. */
declare module "@jsonresume/schema" {
  interface Fault {
    /** The keyword of JSON Schema that was not met. */
    readonly name: string;
    readonly path: readonly (string | number)[];
    readonly instance: unknown;
    /** What the keyword asks for. */
    readonly argument: string | readonly string[];
  }
  export const schema: object;
  export function validate(resume: unknown, answer: (faults: Fault[] | null) => void): void;
  const all: { readonly schema: typeof schema; readonly validate: typeof validate };
  export default all;
}
