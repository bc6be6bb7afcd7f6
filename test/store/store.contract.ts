import type { Engine } from "../support/engines.ts";
import { accessSentences } from "./access.contract.ts";
import { contentsSentences } from "./contents.contract.ts";
import { countingSentences, meetingSentences } from "./counting.contract.ts";
import { damagedSentences } from "./damaged.contract.ts";
import { historySentences } from "./history.contract.ts";
import { hookSentences } from "./hooks.contract.ts";
import { keySentences } from "./keys.contract.ts";
import { pageSentences } from "./pages.contract.ts";
import { preparingSentences } from "./preparing.contract.ts";
import { previewSentences } from "./previews.contract.ts";
import { processSentences } from "./processes.contract.ts";
import { readingSentences } from "./reading.contract.ts";
import { renditionSentences } from "./renditions.contract.ts";
import { savingSentences } from "./saving.contract.ts";
import { uncompiledSentences } from "./uncompiled.contract.ts";
import { upkeepSentences } from "./upkeep.contract.ts";

/** What every store does, whatever engine is under it. */
export function storeSentences(engine: Engine): void {
  savingSentences(engine);
  preparingSentences(engine);
  historySentences(engine);
  accessSentences(engine);
  keySentences(engine);
  readingSentences(engine);
  pageSentences(engine);
  renditionSentences(engine);
  uncompiledSentences(engine);
  previewSentences(engine);
  countingSentences(engine);
  meetingSentences(engine);
  upkeepSentences(engine);
  damagedSentences(engine);
  hookSentences(engine);
  contentsSentences(engine);
  processSentences(engine);
}
