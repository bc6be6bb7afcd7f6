import { basename } from "node:path";
import index from "./index.html";

/** A file that a browser loads, as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

/** The studio's page: its HTML, and what that loads, by path. The names are made from what is in the files. */
export interface PageFiles {
  readonly html: string;
  readonly assets: ReadonlyMap<string, PageFile>;
}

interface Built {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The page out of the executable, or made anew from its source where there is none: so no build comes before. */
export async function loadPage(): Promise<PageFiles> {
  const built = index.files ? await embedded(index.files) : await bundled();
  const page = built.find(({ type }) => type.startsWith("text/html"));
  if (!page) throw new Error("the studio's page was not built");
  const assets = built.filter((file) => file !== page);
  return {
    // Names in the page begin with a point where they were built as files beside it.
    html: new TextDecoder().decode(page.bytes).replaceAll('="./', '="/'),
    assets: new Map(
      assets.map(({ name, type, bytes }) => [
        `/${name}`,
        { type, bytes, gzipped: Bun.gzipSync(bytes, { level: 9 }) },
      ]),
    ),
  };
}

function embedded(files: NonNullable<typeof index.files>): Promise<Built[]> {
  return Promise.all(
    files.map(async ({ path, headers }) => ({
      name: basename(path),
      type: headers["content-type"] ?? "",
      bytes: await Bun.file(path).bytes(),
    })),
  );
}

async function bundled(): Promise<Built[]> {
  const { outputs } = await Bun.build({
    entrypoints: [new URL("./index.html", import.meta.url).pathname],
    target: "browser",
    minify: true,
    // Else each element would carry where in the source it stands.
    jsx: { development: false },
  });
  return Promise.all(
    outputs.map(async (output) => ({
      name: basename(output.path),
      type: output.type,
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
}
