/** Imported with `type: "file"`, a file is its path: on the disk, or inside the executable. */
declare module "*.woff2" {
  const path: string;
  export default path;
}
