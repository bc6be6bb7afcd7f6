/** What the drawing process is asked for: a scene as it is stored, and the owner's picture, if one was uploaded. */
export interface DrawRequest {
  readonly scene: string;
  readonly picture: Uint8Array | undefined;
}

/** A PNG, or what went wrong. */
export type DrawAnswer = { readonly png: Uint8Array } | { readonly failure: string };
