import type { Section } from "../sections.ts";
import type { EditorState } from "./editor.ts";
import { isSame, type Path } from "./paths.ts";

type EditedSection = Extract<Section, "profile" | "links" | "jobs" | "projects" | "education">;

const FIELDS = {
  profile: ["profile", "email", "codehostId"],
  links: ["linkTrees"],
  jobs: ["jobs"],
  projects: ["projects"],
  education: ["education"],
} as const satisfies Record<EditedSection, readonly (keyof EditorState["draft"])[]>;

/** The sections in which something was changed and not saved. */
export function changedSections({ draft, stored }: EditorState): EditedSection[] {
  return (Object.keys(FIELDS) as EditedSection[]).filter((section) =>
    FIELDS[section].some((field) => !isSame(draft[field], stored[field])),
  );
}

/** The section in which a place of the record is edited. */
export function sectionOf([field]: Path): EditedSection {
  const found = (Object.keys(FIELDS) as EditedSection[]).find((section) =>
    (FIELDS[section] as readonly unknown[]).includes(field),
  );
  return found ?? "profile";
}
