/** The tables of the layout before answers were compressed: only servers of an older Vitrine read them. */
export const LEFTOVERS = ["documents", "public_documents", "link_trees", "pages", "profile_pages"] as const;
