import { z } from "zod";
import { KEY_PATHS, VIEWS } from "../contract/access.ts";
import { email, slug, text } from "../contract/fields.ts";
import { MAX_NAME_LENGTH } from "../keys/name.ts";
import { HOOK_EVENTS } from "../store/hooks.ts";
import type { StudioRouteName } from "./contract.ts";

const secret = z.strictObject({ secret: z.string() });
/** What people call a key or a passkey. */
const name = text(MAX_NAME_LENGTH);

/** Anything of the form of an answer of an authenticator. The library that checks it looks at the rest. */
const credential = z.looseObject({ id: z.string(), response: z.looseObject({}) });

/** The JSON that each route takes, where it takes any. A record is checked by the schema of records. */
export const BODIES: { readonly [Name in StudioRouteName]?: z.ZodType } = {
  enterByLink: secret,
  lookAtInvitation: secret,
  takeInvitation: secret,
  signInByPasskey: credential,
  addPasskey: z.strictObject({ name, response: credential }),
  createUser: z.strictObject({ email, slug, name: name.optional() }),
  deleteUser: z.strictObject({ email: z.string() }),
  checkRecord: z.strictObject({ record: z.unknown() }),
  saveRecord: z.strictObject({ record: z.unknown(), revision: z.string() }),
  previewPage: z.strictObject({
    record: z.unknown(),
    tree: z.int().min(0),
    scheme: z.enum(["light", "dark"]),
  }),
  restoreVersion: z.strictObject({ revision: z.string() }),
  createKey: z.strictObject({
    name: name.nullable(),
    expires: z.string().nullable(),
    view: z.enum(VIEWS).optional(),
    paths: z.array(z.enum(KEY_PATHS)).min(1).nullable().optional(),
  }),
  rotateKey: z.strictObject({ grace: z.string() }),
  addHook: z.strictObject({
    url: z.string(),
    events: z.array(z.enum(HOOK_EVENTS)).min(1),
    isSigned: z.boolean(),
    headers: z.array(z.string()),
    body: z.string().nullable(),
  }),
};
