/** What a built executable holds is a path to read. */
declare module "*.ttf" {
  const path: string;
  export default path;
}

declare module "*.wasm" {
  const path: string;
  export default path;
}
