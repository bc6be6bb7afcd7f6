/** Why a hook cannot be used. */
export type HookFault =
  | "no-url"
  | "scheme"
  | "credentials"
  | "too-long"
  | "private-address"
  | "unknown-name"
  | "header"
  | "body"
  | "events";

/** Thrown where a hook is not to be used as it is. What is secret about it is not repeated. */
export class HookRefused extends Error {
  override readonly name = "HookRefused";
  readonly fault: HookFault;

  constructor(fault: HookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
