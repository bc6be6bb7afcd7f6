import { describe, expect, test } from "bun:test";
import { PORTFOLIO } from "../support/portfolio.ts";

const { shortened } = await import(`${PORTFOLIO}/src/words.ts`);

describe("the portfolio", () => {
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
