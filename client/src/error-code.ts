/** Each error of the API by a name that stays, whatever its message says one day. */
export type VitrineErrorCode =
  | "bad_request"
  | "unauthorized"
  | "invalid_key"
  | "expired_key"
  | "foreign_origin"
  | "key_not_allowed"
  | "tree_not_found"
  | "unknown_path"
  | "method_not_allowed"
  | "rate_limited"
  | "internal"
  | "unavailable";

/** The codes by status and, where errors of one status differ, by how their messages begin. */
const CODES: readonly (readonly [statusCode: number, message: string, code: VitrineErrorCode])[] = [
  [400, "", "bad_request"],
  [401, "Unauthorized", "unauthorized"],
  [401, "Invalid API Key", "invalid_key"],
  [401, "API Key Expired", "expired_key"],
  [403, "Origin not allowed", "foreign_origin"],
  [403, "Key not allowed here", "key_not_allowed"],
  [404, "Link tree not found", "tree_not_found"],
  [404, "Cannot ", "unknown_path"],
  [405, "", "method_not_allowed"],
  [429, "", "rate_limited"],
  [500, "", "internal"],
  [503, "", "unavailable"],
];

/** Undefined where no error of a Vitrine server is like this. */
export function codeOf(statusCode: number, message: string): VitrineErrorCode | undefined {
  return CODES.find(([status, start]) => status === statusCode && message.startsWith(start))?.[2];
}
