import { ENGINES } from "../support/engines.ts";
import { storeSentences } from "./store.contract.ts";

for (const engine of ENGINES) storeSentences(engine);
