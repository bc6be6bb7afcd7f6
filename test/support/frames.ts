import type { Page } from "playwright-core";

/** A window to look at a page in. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * What an expression says of each path in a window of each size: of a frame beside the page, which nothing is drawn
 * of, so that it costs half as much. The policy of the page forbids it, and is to be bypassed.
 */
export function inFrames<Said>(
  page: Page,
  paths: readonly string[],
  sizes: readonly Size[],
  expression: string,
): Promise<Said[][]> {
  return page.evaluate(`(async () => {
    const frame = document.createElement("iframe");
    frame.style.cssText = "position:fixed;left:100%;border:0";
    document.body.append(frame);
    const all = [];
    for (const path of ${JSON.stringify(paths)}) {
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
      const answer = await fetch(path);
      if (!answer.ok) throw new Error("no page at " + path);
      frame.srcdoc = await answer.text();
      await loaded;
      const opened = frame.contentWindow;
      opened.document.body.getBoundingClientRect();
      await opened.document.fonts.ready;
      all.push(${JSON.stringify(sizes)}.map(({ width, height }) => {
        frame.style.width = width + "px";
        frame.style.height = height + "px";
        if (opened.innerWidth !== width || opened.innerHeight !== height) throw new Error("a frame of another size");
        return opened.eval(${JSON.stringify(expression)});
      }));
    }
    frame.remove();
    return all;
  })()`);
}
