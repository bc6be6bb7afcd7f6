import { expect, test } from "bun:test";
import { LongAnswers } from "../../src/http/steps/long-answers.ts";

const LONG_BYTES = 15_360;

function requestWith(key: string): Request {
  return new Request("http://localhost/user/full", { headers: { Authorization: `Bearer ${key}` } });
}

test("a key has had a long answer once one of 15 KB was noted for it, and no other key has", () => {
  const answers = new LongAnswers();
  answers.note(requestWith("short"), LONG_BYTES - 1);
  expect(answers.has(requestWith("short"))).toBe(false);
  answers.note(requestWith("long"), LONG_BYTES);
  expect(answers.has(requestWith("long"))).toBe(true);
  expect(answers.has(requestWith("short"))).toBe(false);
});

test("nobody who names no key has had one", () => {
  const answers = new LongAnswers();
  answers.note(requestWith("long"), LONG_BYTES);
  expect(answers.has(new Request("http://localhost/user/full"))).toBe(false);
});
