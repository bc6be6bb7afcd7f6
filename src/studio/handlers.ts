import type { Handlers } from "./call.ts";
import { entering } from "./handlers/entering.ts";
import { files } from "./handlers/files.ts";
import { history } from "./handlers/history.ts";
import { hooks } from "./handlers/hooks.ts";
import { keys } from "./handlers/keys.ts";
import { numbers } from "./handlers/numbers.ts";
import { passkeys } from "./handlers/passkeys.ts";
import { records } from "./handlers/records.ts";
import { sessions } from "./handlers/sessions.ts";
import { users } from "./handlers/users.ts";

/** What is done for each route of the table. */
export const HANDLERS: Handlers = {
  ...entering,
  ...passkeys,
  ...sessions,
  ...users,
  ...records,
  ...history,
  ...numbers,
  ...keys,
  ...hooks,
  ...files,
};
