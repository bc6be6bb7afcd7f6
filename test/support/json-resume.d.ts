/** Packages of JSON Resume come without types. */

declare module "jsonresume-theme-paper" {
  export function render(resume: unknown): string;
}

declare module "jsonresume-theme-stackoverflow" {
  export function render(resume: unknown): string | Promise<string>;
}
