import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { visible } from "../../../records/letters.ts";
import { Face } from "../controls/face.tsx";
import { Icon } from "../controls/icon.tsx";
import { changedSections } from "../editing/changes.ts";
import { useDraft, useEditor } from "../editing/editor.ts";
import { useObserved } from "../observable.ts";
import { hashOf } from "../routes.ts";
import type { Section } from "../sections.ts";
import { SECTION_NAMES } from "../words.ts";
import type { WorkspaceProps } from "./workspace.tsx";

const GROUPS: readonly { readonly name: string; readonly sections: readonly Section[] }[] = [
  { name: "Edit", sections: ["profile", "links", "jobs", "projects", "education"] },
  { name: "Look", sections: ["numbers", "codes"] },
  { name: "Manage", sections: ["keys", "hooks", "history", "take-along", "account"] },
];

type Props = WorkspaceProps & { readonly children: ComponentChildren };

/** What stands around every screen: who it is about, and the way to the other screens. */
export function Shell({ user, isOperator, section, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const name = useDraft(({ profile, email }) => visible(profile.name.value) ?? email);
  const picture = useDraft(({ profile }) => profile.avatarUrl.value);
  const changed = useObserved(useEditor().state, (state) => changedSections(state).join(" ")).split(" ");
  useEffect(() => setOpen(false), [section]);
  return (
    <div class="studio">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="side">
        <div class="side-head">
          <Face name={name} picture={picture} />
          <div class="side-who">
            <strong dir="auto">{name}</strong>
            {isOperator && (
              <a class="back" href={hashOf({ section: "users" })}>
                All users
              </a>
            )}
          </div>
          <button
            type="button"
            class="quiet menu"
            aria-expanded={isOpen}
            aria-controls="sections"
            aria-label="Sections"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? "close" : "menu"} />
          </button>
        </div>
        <nav id="sections" class={isOpen ? "sections open" : "sections"} aria-label="Sections">
          {GROUPS.map((group) => (
            <section key={group.name} aria-label={group.name}>
              <p class="group">{group.name}</p>
              <ul>
                {group.sections.map((one) => (
                  <li key={one}>
                    <a
                      href={hashOf({ section: one, user: isOperator ? user : undefined })}
                      aria-current={one === section ? "page" : undefined}
                      onClick={() => setOpen(false)}
                    >
                      <Icon name={one} />
                      {SECTION_NAMES[one]}
                      {changed.includes(one) && (
                        <span class="changed">
                          <span class="unseen">(not saved)</span>
                        </span>
                      )}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
      </header>
      <main ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
