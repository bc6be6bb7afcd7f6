import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Key, MintedKey } from "../../contract.ts";
import { useAnswer, useDoing } from "../asking.ts";
import { call } from "../calls.ts";
import { announce } from "../controls/announcer.tsx";
import { Awaited, Refused } from "../controls/asked.tsx";
import { Checks } from "../controls/checks.tsx";
import { Copyable } from "../controls/copyable.tsx";
import { CloseButton, Dialog } from "../controls/dialog.tsx";
import { FieldFrame, notesOf } from "../controls/field.tsx";
import { Icon } from "../controls/icon.tsx";
import { Question } from "../controls/question.tsx";
import { Screen } from "../controls/screen.tsx";
import { Select } from "../controls/select.tsx";
import { newKeys, useShownOnce } from "../shown-once.ts";
import { dayOf, listed } from "../words.ts";

/** For how long a new key works, in the words of the command line, with what people read. */
const LIFETIMES = [
  ["", "Never"],
  ["30d", "In 30 days"],
  ["90d", "In 90 days"],
  ["365d", "In a year"],
] as const;

/** How long an old key goes on beside the new one. */
const GRACES = [
  ["24h", "a day"],
  ["7d", "a week"],
  ["0", "no longer"],
] as const;

type View = Key["view"];
type KeyPath = NonNullable<Key["paths"]>[number];

/** What a key can see, with what that is good for, and a name for one. */
const VIEWS: Readonly<Record<View, readonly [string, string, string]>> = {
  full: ["Everything", "Private values, too. For programs that only you use.", "My backup"],
  public: ["What is public", "What you show to everybody, and nothing else. For a web site.", "My web site"],
};

const PATHS: Readonly<Record<KeyPath, string>> = {
  full: "The whole record",
  linktrees: "Link trees",
  links: "Addresses of the profile",
  jobs: "Jobs",
  projects: "Projects",
  education: "Education",
  resume: "Résumé",
  mcp: "Agents (MCP)",
};

type Asking = { readonly what: "rotate" | "revoke"; readonly key: Key };

interface Props {
  readonly user: string;
  readonly publicUrl: string;
}

export function KeysScreen({ user, publicUrl }: Props) {
  const { answer: keys, refusal, again } = useAnswer(() => call("listKeys", { user }), [user]);
  const { shown, show, putAway } = useShownOnce(newKeys, user);
  const [asking, setAsking] = useState<Asking>();
  const made = ({ key, secret }: MintedKey) => {
    show(key, secret);
    setAsking(undefined);
    again();
    announce("The key is made. Copy it now: it is shown this once.");
  };
  const revoke = async (key: Key) => {
    await call("revokeKey", { user, key: key.id });
    announce("The key is ended.");
    putAway(key);
    setAsking(undefined);
    again();
  };
  const isOver = ({ status }: Key) => status !== "active";
  return (
    <Screen
      title="Keys"
      intro={
        <p>
          A key lets a program of yours read your record. Give each its own, so that you can end one alone.
        </p>
      }
    >
      {shown.map(({ what: key, secret }, place) => (
        <Minted
          key={key.id}
          minted={{ key, secret }}
          publicUrl={publicUrl}
          isNewest={place === 0}
          onDone={() => putAway(key)}
        />
      ))}
      <NewKeyForm user={user} onMade={made} />
      <Awaited answer={keys} refusal={refusal} again={again} />
      {keys && <KeyTable keys={keys.filter((key) => !isOver(key))} title="Working" onAsk={setAsking} />}
      {keys?.some(isOver) && <KeyTable keys={keys.filter(isOver)} title="Ended" />}
      {asking?.what === "rotate" && (
        <RotateDialog
          user={user}
          asked={asking.key}
          onMade={made}
          onClose={() => {
            setAsking(undefined);
            // One that was refused has ended meanwhile.
            again();
          }}
        />
      )}
      {asking?.what === "revoke" && (
        <Question
          title={`End ${nameOf(asking.key)}?`}
          yes="End it"
          no="Keep it"
          onYes={() => revoke(asking.key)}
          onClose={() => setAsking(undefined)}
        >
          With the very next request it opens nothing. That cannot be undone.
        </Question>
      )}
    </Screen>
  );
}

interface MintedProps {
  readonly minted: MintedKey;
  readonly publicUrl: string;
  readonly isNewest: boolean;
  readonly onDone: () => void;
}

/** The one time that a key is shown. */
function Minted({ minted, publicUrl, isNewest, onDone }: MintedProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  useLayoutEffect(() => {
    // Away from the form: Enter once more would make another key.
    if (isNewest) heading.current?.focus();
  }, []);
  const path = triedPath(minted.key);
  const curl = `curl -H "Authorization: Bearer ${minted.secret}" ${publicUrl}/user/${path}`;
  return (
    <section class="card minted" aria-labelledby={headingId}>
      <h2 ref={heading} id={headingId} tabIndex={-1}>
        Your new key{minted.key.name ? ` “${minted.key.name}”` : ""}
      </h2>
      <p>Copy it now. Only its fingerprint is kept, so nobody can show it to you again.</p>
      <Copyable text={minted.secret} what="the key" />
      {path && (
        <>
          <p>Try it:</p>
          <Copyable text={curl} what="the command" />
        </>
      )}
      <div class="actions">
        <button type="button" class="button primary" onClick={onDone}>
          I have copied it
        </button>
      </div>
    </section>
  );
}

/** A path that the key may read, and that plain HTTP can: agents talk in another way. */
function triedPath({ paths }: Key): KeyPath | undefined {
  return paths === null || paths.includes("full") ? "full" : paths.find((path) => path !== "mcp");
}

function NewKeyForm({ user, onMade }: { readonly user: string; readonly onMade: (key: MintedKey) => void }) {
  const [name, setName] = useState("");
  const [expires, setExpires] = useState("");
  const [view, setView] = useState<View>("full");
  const [paths, setPaths] = useState<readonly KeyPath[]>([]);
  const { isBusy, refusal, problemAt, run } = useDoing();
  const make = () =>
    run(async () => {
      const confined = paths.length > 0 ? paths : null;
      const body = { name: name.trim() || null, expires: expires || null, view, paths: confined };
      onMade(await call("createKey", { user, body }));
      setName("");
    });
  return (
    <form
      class="card new-key"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <FieldFrame id="key-name" label="Name" problem={problemAt("name")} isOptional>
        <input
          id="key-name"
          class="input"
          placeholder={VIEWS[view][2]}
          autocomplete="off"
          value={name}
          {...notesOf("key-name", problemAt("name"))}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </FieldFrame>
      <FieldFrame id="key-expires" label="Expires">
        <Select id="key-expires" choices={LIFETIMES} value={expires} onChange={setExpires} />
      </FieldFrame>
      <fieldset class="field key-views">
        <legend class="field-head">It sees</legend>
        {(Object.keys(VIEWS) as View[]).map((one) => (
          <label key={one} class={view === one ? "version chosen" : "version"}>
            <span class="version-name">
              <input type="radio" name="key-view" checked={view === one} onChange={() => setView(one)} />
              {VIEWS[one][0]}
            </span>
            <span class="hint">{VIEWS[one][1]}</span>
          </label>
        ))}
      </fieldset>
      <details class="paths">
        <summary>Only some of it</summary>
        <fieldset class="switches" aria-label="What it may read. All, if none is chosen.">
          <Checks names={PATHS} chosen={paths} onChange={setPaths} />
        </fieldset>
      </details>
      <button type="submit" class="button primary" aria-disabled={isBusy}>
        <Icon name="plus" />
        Make a key
      </button>
      <Refused refusal={refusal} />
    </form>
  );
}

interface TableProps {
  readonly keys: readonly Key[];
  readonly title: string;
  /** Absent for keys to which nothing can be done any more. */
  readonly onAsk?: (asking: Asking) => void;
}

function KeyTable({ keys, title, onAsk }: TableProps) {
  return (
    <>
      <h2>{title}</h2>
      {keys.length === 0 && <p class="empty">No key works at the moment.</p>}
      <ul class="items">
        {keys.map((key) => (
          <li key={key.id} class="card item">
            <div class="item-words">
              <strong>{key.name ?? "Without a name"}</strong>
              <span>{wordsFor(key)}</span>
            </div>
            {onAsk && (
              <div class="actions">
                <button
                  type="button"
                  class="button"
                  aria-label={`Replace ${nameOf(key)}`}
                  onClick={() => onAsk({ what: "rotate", key })}
                >
                  Replace
                </button>
                <button
                  type="button"
                  class="button danger"
                  aria-label={`End ${nameOf(key)}`}
                  onClick={() => onAsk({ what: "revoke", key })}
                >
                  End
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function nameOf({ name, createdAt }: Key): string {
  return name ? `the key “${name}”` : `the key of ${dayOf(createdAt)}`;
}

function wordsFor(key: Key): string {
  const words = [
    VIEWS[key.view][0],
    ...(key.paths ? [`only ${listed(key.paths.map((path) => PATHS[path]))}`] : []),
    `made ${dayOf(key.createdAt)}`,
    key.lastUsedAt ? `last used ${dayOf(key.lastUsedAt)}` : "never used",
  ];
  if (key.status === "revoked" && key.revokedAt) words.push(`ended ${dayOf(key.revokedAt)}`);
  else if (key.expiresAt)
    words.push(`${key.status === "expired" ? "expired" : "expires"} ${dayOf(key.expiresAt)}`);
  return words.join(" · ");
}

interface RotateProps {
  readonly user: string;
  readonly asked: Key;
  readonly onMade: (key: MintedKey) => void;
  readonly onClose: () => void;
}

function RotateDialog({ user, asked, onMade, onClose }: RotateProps) {
  const [grace, setGrace] = useState<string>(GRACES[0][0]);
  const { isBusy, refusal, run } = useDoing();
  return (
    <Dialog title={`Replace ${nameOf(asked)}`} isBusy={isBusy} onClose={onClose}>
      <p>
        You get a new key of the same kind. The old one goes on for a while, so that your program never stands
        without.
      </p>
      <div class="field">
        <label for="grace">The old key works for</label>
        <Select id="grace" choices={GRACES} value={grace} onChange={setGrace} />
      </div>
      <Refused refusal={refusal} />
      <div class="actions">
        <button
          type="button"
          class="button primary"
          aria-disabled={isBusy}
          onClick={() =>
            void run(async () => onMade(await call("rotateKey", { user, key: asked.id, body: { grace } })))
          }
        >
          Replace
        </button>
        <CloseButton isBusy={isBusy} onClose={onClose}>
          Keep it
        </CloseButton>
      </div>
    </Dialog>
  );
}
