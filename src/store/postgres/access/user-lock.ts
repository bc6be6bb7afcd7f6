import { statement } from "../statement.ts";

/**
 * Has those who change what lets one user in come one after the other, until their transactions end: at the same time,
 * neither would see what the other has just removed or made.
 */
export const lockUser = statement<unknown, [userId: string]>(
  "SELECT number FROM vitrine.users WHERE id = $1 FOR NO KEY UPDATE",
);
