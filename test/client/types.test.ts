import { expectTypeOf, test } from "bun:test";
import type { z } from "zod";
import type * as client from "../../client/src/index.ts";
import type { ErrorCode } from "../../src/contract/errors.ts";
import type * as contract from "../../src/contract/responses.ts";

type Answer<Name extends keyof typeof contract> =
  (typeof contract)[Name] extends z.ZodType<infer Value> ? Value : never;

test("the types of the client are the contract's, no more and no less", () => {
  // The type checker is what these fail by: `npm run check`.
  expectTypeOf<client.FullUser>().toEqualTypeOf<Answer<"FullUser">>();
  expectTypeOf<client.PublicUser>().toEqualTypeOf<Answer<"PublicUser">>();
  expectTypeOf<client.Profile>().toEqualTypeOf<Answer<"Profile">>();
  expectTypeOf<client.DataField>().toEqualTypeOf<Answer<"Profile">["name"]>();
  expectTypeOf<client.Job>().toEqualTypeOf<Answer<"Job">>();
  expectTypeOf<client.Project>().toEqualTypeOf<Answer<"Project">>();
  expectTypeOf<client.Education>().toEqualTypeOf<Answer<"Education">>();
  expectTypeOf<client.PublicLinkTree>().toEqualTypeOf<Answer<"PublicLinkTree">>();
  expectTypeOf<client.Link>().toEqualTypeOf<Answer<"Link">>();
  expectTypeOf<client.VitrineErrorCode>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<client.Resume>().toEqualTypeOf<Answer<"Resume">>();
  expectTypeOf<client.PublicLinks>().toEqualTypeOf<Answer<"PublicLinks">>();
});
