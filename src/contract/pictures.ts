/** The kinds of picture that owners can upload, and how their names end. */
export const PICTURE_TYPES = { "image/webp": "webp", "image/jpeg": "jpg", "image/png": "png" } as const;

const NAME = /^([\da-f]{32})\.(?:webp|jpg|png)$/;

interface Named {
  readonly hash: string;
  readonly type: string;
}

export function picturePath({ hash, type }: Named): string {
  return `/media/${hash}.${PICTURE_TYPES[type as keyof typeof PICTURE_TYPES]}`;
}

/** The hash that the name of a picture says. */
export function pictureHash(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** The hash of the picture that an address leads to, if it can be one of ours. */
export function pictureHashIn(url: string): string | undefined {
  return pictureHash(/\/media\/([^/]*)$/.exec(url)?.[1] ?? "");
}
