import { useRef, useState } from "preact/hooks";
import { ChoiceField } from "../controls/choice-field.tsx";
import { DataField } from "../controls/data-field.tsx";
import { Face } from "../controls/face.tsx";
import { FieldFrame, notesOf, TextField } from "../controls/field.tsx";
import { useWantedFocus } from "../controls/focus.ts";
import { Icon } from "../controls/icon.tsx";
import { PageLink, pageAddress } from "../controls/page-link.tsx";
import { Screen } from "../controls/screen.tsx";
import { Switch, Visibility } from "../controls/switch.tsx";
import { useDraft, useEditor, useValue } from "../editing/editor.ts";
import { publicWords } from "../editing/public-words.ts";
import { useObserved } from "../observable.ts";
import { PictureDialog } from "./picture.tsx";

interface Props {
  readonly publicUrl: string;
  readonly isOperator: boolean;
}

export function ProfileScreen({ publicUrl, isOperator }: Props) {
  const slug = useDraft(({ profile }) => profile.slug);
  return (
    <Screen title="Profile" actions={<PublicPage publicUrl={publicUrl} />} intro={<PublicWords />}>
      <section class="card">
        <Picture />
        <DataField name="name" autocomplete="name" />
        <DataField name="summary" kind="long" />
        <DataField name="location" placeholder="Bergen, Norway" />
      </section>
      <h2>Where to find you</h2>
      <section class="card">
        <DataField name="url" kind="web" placeholder="https://" autocomplete="url" />
        <DataField name="phone" kind="tel" autocomplete="tel" />
        <DataField name="codehostUrl" kind="web" placeholder="https://" />
        <DataField name="microblogUrl" kind="web" placeholder="https://" />
        <DataField name="socialnetworkUrl" kind="web" placeholder="https://" />
        <DataField name="professionalnetworkUrl" kind="web" placeholder="https://" />
        <DataField name="videoUrl" kind="web" placeholder="https://" />
      </section>
      <h2>The record itself</h2>
      <section class="card">
        <TextField
          path={["profile", "slug"]}
          label="Address"
          hint={`While your profile is public, its page is ${pageAddress({ publicUrl, kind: "p", slug })}.`}
          finish={(text) => text.toLowerCase()}
        />
        <TextField
          path={["email"]}
          label="E-mail address"
          kind="email"
          isFixed={!isOperator}
          hint={
            isOperator
              ? "Never shown on a page."
              : "Never shown on a page. Whoever runs this service can change it."
          }
        />
        <Language />
        <CodehostId />
        <DataField
          name="avatarUrl"
          kind="web"
          placeholder="https://"
          hint="Set by choosing a picture above, or an address of your own."
        />
      </section>
    </Screen>
  );
}

/** The page as it is saved: what is only being edited is on none yet. */
function PublicPage({ publicUrl }: Pick<Props, "publicUrl">) {
  const { isPublic, slug } = useObserved(useEditor().state, ({ stored }) => stored.profile);
  return isPublic ? (
    <p class="crumbs">
      <PageLink publicUrl={publicUrl} kind="p" slug={slug} />
    </p>
  ) : null;
}

function PublicWords() {
  const profile = useDraft((draft) => draft.profile);
  const jobs = useDraft((draft) => draft.jobs);
  const projects = useDraft((draft) => draft.projects);
  const education = useDraft((draft) => draft.education);
  return (
    <div class={profile.isPublic ? "public-words" : "public-words private"}>
      <Icon name={profile.isPublic ? "shown" : "hidden"} />
      <div>
        {publicWords({ profile, jobs, projects, education }).map(({ lead, rest }) => (
          <p key={lead}>
            <strong>{lead}</strong> {rest}
          </p>
        ))}
      </div>
      <Switch path={["profile", "isPublic"]}>Public profile</Switch>
    </div>
  );
}

function Picture() {
  const editor = useEditor();
  const [file, setFile] = useState<File>();
  const chooser = useRef<HTMLInputElement>(null);
  const name = useDraft(({ profile, email }) => profile.name.value ?? email);
  const picture = useDraft(({ profile }) => profile.avatarUrl.value);
  return (
    <div class="picture">
      <Face name={name} picture={picture} />
      <div class="picture-words">
        <div class="field-head">
          <strong>Picture</strong>
          <Visibility path={["profile", "avatarUrl", "isPublic"]} of="your picture" />
        </div>
        <div class="actions">
          <label class="button file">
            {picture ? "Choose another" : "Choose a picture"}
            <input
              ref={chooser}
              type="file"
              accept="image/*"
              onChange={(event) => {
                setFile(event.currentTarget.files?.[0]);
                event.currentTarget.value = "";
              }}
            />
          </label>
          {picture && (
            <button
              type="button"
              class="button"
              onClick={() => {
                editor.edit(["profile", "avatarUrl", "value"], null);
                chooser.current?.focus();
              }}
            >
              Remove
            </button>
          )}
        </div>
      </div>
      {file && <PictureDialog file={file} onClose={() => setFile(undefined)} />}
    </div>
  );
}

/** The languages in which pages have words of ours. */
const LANGUAGES = [
  ["ar", "العربية"],
  ["de", "Deutsch"],
  ["en", "English"],
  ["es", "Español"],
  ["fr", "Français"],
  ["he", "עברית"],
  ["ja", "日本語"],
  ["pt", "Português"],
] as const;

/** Another language, which only a file can say, stays a choice. */
function Language() {
  const language = useObserved(useEditor().state, ({ stored }) => stored.profile.language);
  const isOther = language !== undefined && !LANGUAGES.some(([tag]) => tag === language);
  return (
    <ChoiceField
      path={["profile", "language"]}
      label="Language of your pages"
      choices={isOther ? [...LANGUAGES, [language, language]] : LANGUAGES}
      none="Not said"
      empty={undefined}
    />
  );
}

/** A number in the record, and a text while it is typed. */
function CodehostId() {
  const path = ["codehostId"];
  const [value, edit, problem] = useValue<number | string | undefined>(path);
  const field = useWantedFocus<HTMLInputElement>(path);
  const hint = "Your number at a code host, if you have one.";
  return (
    <FieldFrame id="codehostId" label="Number at the code host" problem={problem} hint={hint} isOptional>
      <input
        ref={field}
        id="codehostId"
        class="input"
        inputMode="numeric"
        autocomplete="off"
        value={value ?? ""}
        {...notesOf("codehostId", problem, hint)}
        onInput={(event) => {
          const text = event.currentTarget.value.trim();
          edit(text === "" ? undefined : /^-?\d{1,15}$/.test(text) ? Number(text) : text);
        }}
      />
    </FieldFrame>
  );
}
