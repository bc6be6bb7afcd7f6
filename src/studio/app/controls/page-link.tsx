import { Icon } from "./icon.tsx";

interface Props {
  readonly publicUrl: string;
  /** Where pages of its kind are: those of link trees at `t`, of profiles at `p`. */
  readonly kind: "t" | "p";
  readonly slug: string;
}

/** The way to a page as everybody sees it. */
export function PageLink({ publicUrl, kind, slug }: Props) {
  return (
    <a href={`${publicUrl}/${kind}/${encodeURIComponent(slug)}`} target="_blank" rel="noreferrer">
      Open the page <Icon name="away" />
    </a>
  );
}

/** The address of a page, as people read it. */
export function pageAddress({ publicUrl, kind, slug }: Props): string {
  return `${publicUrl.replace(/^https?:\/\//, "")}/${kind}/${slug}`;
}
