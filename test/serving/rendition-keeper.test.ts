import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../src/async/turn.ts";
import type { Log } from "../../src/logging/log.ts";
import { RenditionKeeper } from "../../src/serving/rendition-keeper.ts";
import type { MadeRendition } from "../../src/store/rendition-writer.ts";

function made(treeId: string): MadeRendition {
  const rendition = { kind: "page", etag: '"x"', pictureOrigin: "", opening: "", scene: "" } as const;
  return { ...rendition, treeId, body: new Uint8Array(), userNumber: 1, madeOf: '"y"' };
}

/** A keeper whose writes end when the test says so. */
function watchedKeeper({ canKeep = (): boolean => true } = {}) {
  const writes: { readonly ids: string[]; readonly end: PromiseWithResolvers<void> }[] = [];
  const warnings: string[] = [];
  const keeper = new RenditionKeeper({
    writer: {
      keep(renditions) {
        const end = Promise.withResolvers<void>();
        writes.push({ ids: renditions.map(({ treeId }) => treeId), end });
        return end.promise;
      },
    },
    canKeep,
    log: { warn: (message: string) => warnings.push(message) } as unknown as Log,
  });
  return { keeper, writes, warnings, written: () => writes.map(({ ids }) => ids) };
}

describe("what was made for a request", () => {
  test("is written at once, and what comes in meanwhile together after it", async () => {
    const { keeper, writes, written } = watchedKeeper();
    for (const id of ["a", "b", "c"]) keeper.keep(made(id));
    expect(written()).toEqual([["a"]]);
    writes[0]?.end.resolve();
    await nextTurn();
    expect(written()).toEqual([["a"], ["b", "c"]]);
    writes[1]?.end.resolve();
    await keeper.close();
    keeper.keep(made("d"));
    expect(written().at(-1)).toEqual(["d"]);
  });

  test("is all written when the keeper has closed", async () => {
    const { keeper, writes, written } = watchedKeeper();
    for (const id of ["a", "b"]) keeper.keep(made(id));
    let isClosed = false;
    const closing = keeper.close().then(() => {
      isClosed = true;
    });
    writes[0]?.end.resolve();
    await nextTurn();
    expect(isClosed).toBe(false);
    writes[1]?.end.resolve();
    await closing;
    expect(written()).toEqual([["a"], ["b"]]);
  });

  test("is not kept while nothing can be written", () => {
    let isWritable = false;
    const { keeper, written } = watchedKeeper({ canKeep: () => isWritable });
    keeper.keep(made("a"));
    expect(written()).toEqual([]);
    isWritable = true;
    keeper.keep(made("b"));
    expect(written()).toEqual([["b"]]);
  });

  test("is not kept beyond what may wait, however long a write lasts", async () => {
    const { keeper, writes, written } = watchedKeeper();
    for (let index = 0; index <= 1000; index++) keeper.keep(made(String(index)));
    writes[0]?.end.resolve();
    await nextTurn();
    expect(written()[1]).toHaveLength(256);
  });

  test("is lost with a write that fails, which the log tells, and the next is tried again", async () => {
    const { keeper, writes, warnings, written } = watchedKeeper();
    keeper.keep(made("a"));
    writes[0]?.end.reject(new Error("the disk is full"));
    await keeper.close();
    expect(warnings).toHaveLength(1);
    keeper.keep(made("b"));
    expect(written()).toEqual([["a"], ["b"]]);
  });
});
