import { describe, expect, test } from "bun:test";
import { PORTFOLIO } from "../support/portfolio.ts";

const { dialledIn, placeOf, shortened } = await import(`${PORTFOLIO}/src/words.ts`);

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
    ["https://www.ada.example/about", "ada.example"],
    ["https://www.example/", "www.example"],
    ["https://bücher.example/", "bücher.example"],
    ["https://xn--r8jz45g.xn--zckzah/", "例え.テスト"],
    ["http://[::1]:8080/", "[::1]"],
    ["mailto:m%C3%BCller@example.com?subject=Hi", "müller@example.com"],
    ["mailto:%ff@example.com", "%ff@example.com"],
    ["mailto:?subject=Hi", "mailto:?subject=Hi"],
    ["tel:+49%2030%201234", "+49 30 1234"],
  ])("says of the address %p where it leads, as people write it", (address, place) => {
    expect(placeOf(address)).toBe(place);
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
