import { foldEmail } from "../../records/record.ts";
import { checkRecord } from "../../records/schema.ts";
import { RecordsRefused } from "../../store/store.ts";
import type { SomeHandlers } from "../call.ts";
import { notFound, StudioFault } from "../faults.ts";
import { invite } from "../invitations.ts";
import { problemsFor } from "../problems.ts";

/** How many users are listed at a time. */
const LISTED = 50;

export const users: SomeHandlers<"listUsers" | "createUser" | "inviteUser" | "deleteUser"> = {
  async listUsers({ studio, query }) {
    const found = await studio.store.records.search(
      query.get("search")?.trim() ?? "",
      query.get("after") ?? undefined,
      LISTED + 1,
    );
    const listed = found.slice(0, LISTED);
    const next = found.length > LISTED ? listed.at(-1)?.id : undefined;
    return { users: listed, ...(next !== undefined && { next }) };
  },

  async createUser({ studio, body: { email, slug, name } }) {
    const { records } = studio.store;
    const taken = { path: ["email"], message: "is already taken" };
    if (await records.summary(email))
      throw new StudioFault("problems", "There is such a user already.", { problems: [taken] });
    const checked = checkRecord({
      email,
      profile: { isPublic: false, slug, name: { isPublic: false, value: name || null } },
    });
    if ("problems" in checked)
      throw new Error(`an empty record is wrong: ${JSON.stringify(checked.problems)}`);
    try {
      await records.save([checked.input], "studio");
    } catch (error) {
      if (!(error instanceof RecordsRefused)) throw error;
      const problems = problemsFor(
        error.refused.map(({ problem }) => problem),
        "operator",
      ).map(({ path, message }) => ({ path: path.slice(-1), message }));
      throw new StudioFault("problems", "The user cannot be made.", { problems });
    }
    const user = await records.summary(email);
    if (!user) throw notFound("user");
    return user;
  },

  async inviteUser({ studio, user }) {
    const { store, address, now } = studio;
    return invite(user.id, { access: store.access, origin: address.origin, now: now() });
  },

  async deleteUser({ studio, user, body, visit, setCookie }) {
    if (foldEmail(body.email.trim()) !== foldEmail(user.email)) {
      const problems = [{ path: ["email"], message: "is not the address of this account" }];
      throw new StudioFault("problems", "Nothing was deleted.", { problems });
    }
    await studio.store.records.delete(user.email);
    if (visit.visitor.kind === "owner") setCookie(studio.cookies.clearSession());
    return undefined;
  },
};
