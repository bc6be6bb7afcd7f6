import { print, styled } from "../output.ts";
import { asTyped } from "../remedy.ts";

/** One thing the doctor looked at. What is not well comes with what to do about it. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

export function printFinding({ check, ok, detail, remedy }: Finding): void {
  print(ok ? styled("green", "✓") : styled("red", "✗"), ` ${check}: ${detail}`);
  if (remedy) print(`  → ${asTyped(remedy)}`);
}
