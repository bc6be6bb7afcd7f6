/** Imported with `type: "file"`, a file is its path: on the disk, or inside the executable. */
declare module "*.gz" {
  const path: string;
  export default path;
}
