import { setDefaultTimeout } from "bun:test";
import { ENGINES } from "../support/engines.ts";
import { storeSentences } from "./store.contract.ts";

setDefaultTimeout(300_000);

for (const engine of ENGINES) storeSentences(engine);
