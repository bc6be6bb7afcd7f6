import { describe, expect, test } from "bun:test";
import { PORTFOLIO } from "../support/portfolio.ts";

const { dialledIn, shortened } = await import(`${PORTFOLIO}/src/words.ts`);

describe("the portfolio", () => {
  test.each([
    ["+47 555 01 234", "+4755501234"],
    ["(030) 123-45.67", "0301234567"],
    ["+49 (0)30 1234567", "+49301234567"],
    ["+٤٧ ٥٥٥ ٠١ ٢٣٤", "+4755501234"],
  ])("dials the telephone number %p as it is meant", (written, dialled) => {
    expect(dialledIn(written)).toBe(dialled);
  });

  test.each(["+47 555 01 234 ext. 12", "ask for it", ""])("dials nothing for %p", (written) => {
    expect(dialledIn(written)).toBeUndefined();
  });

  test.each([
    ["with spaces, between words", "word ".repeat(50)],
    ["without, between letters", "海岸の地図を描いています。".repeat(20)],
    ["of emoji, between them", `x${"🌊".repeat(150)}`],
  ])("shortens a long text %s", (_, text) => {
    const beginning = shortened(text).slice(0, -1);
    expect(beginning.length).toBeWithin(150, 161);
    expect(beginning.isWellFormed()).toBe(true);
    expect(text).toStartWith(beginning);
  });
});
