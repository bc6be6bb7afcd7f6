import { useEffect, useRef, useState } from "preact/hooks";
import type { InvitationLink, User, UserList } from "../../contract.ts";
import { useAnswer, useDoing } from "../asking.ts";
import { call } from "../calls.ts";
import { announce } from "../controls/announcer.tsx";
import { Refused } from "../controls/asked.tsx";
import { Copyable } from "../controls/copyable.tsx";
import { CloseButton, Dialog } from "../controls/dialog.tsx";
import { FieldFrame, notesOf } from "../controls/field.tsx";
import { Icon } from "../controls/icon.tsx";
import { Mark } from "../controls/mark.tsx";
import { Screen } from "../controls/screen.tsx";
import { slugFor } from "../editing/addresses.ts";
import { go, hashOf } from "../routes.ts";
import { signOut } from "../session.ts";
import { counted, dayOf } from "../words.ts";
import { Sessions } from "./account.tsx";
import { DeletionDialog } from "./deletion.tsx";

/** How long after the last keystroke a search begins. */
const QUIET_MS = 200;

type Asking = { readonly what: "invite" | "delete"; readonly user: User } | { readonly what: "create" };

/** What was looked for last, for an operator who comes back from a user. */
let lastSearch = "";

/** The operator's list of everybody. */
export function UsersScreen() {
  const [search, setSearch] = useState(lastSearch);
  lastSearch = search;
  const [asking, setAsking] = useState<Asking>();
  const { users, hasMore, more, again, leaveOut, isBusy, refusal, failure } = useUsers(search);
  const leaving = useDoing();
  const close = () => setAsking(undefined);
  return (
    <div class="studio lone">
      <header class="top">
        <Mark />
        <strong>Vitrine studio</strong>
        <button type="button" class="button" onClick={() => void leaving.run(signOut)}>
          Sign out
        </button>
      </header>
      <main>
        <Screen
          title="Users"
          intro={
            <p>Everybody whose profile and links live here. Open one to edit, or invite its owner to.</p>
          }
          actions={
            <button type="button" class="button primary" onClick={() => setAsking({ what: "create" })}>
              <Icon name="plus" />
              New user
            </button>
          }
        >
          <Refused refusal={leaving.refusal} />
          <input
            class="input"
            type="search"
            aria-label="Find a user"
            placeholder="Find by e-mail address or profile"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <Refused refusal={refusal} again={again} />
          {users?.length === 0 && !hasMore && (
            <p class="empty">{search ? `Nobody matches “${search}”.` : "There is nobody yet."}</p>
          )}
          <ul class="items">
            {users?.map((user) => (
              <UserRow key={user.id} user={user} onAsk={setAsking} />
            ))}
          </ul>
          <Refused refusal={failure} />
          {hasMore && (
            <button type="button" class="button" aria-disabled={isBusy} onClick={() => void more()}>
              More
            </button>
          )}
          <Sessions leaveBy={(wayOut) => wayOut()} />
        </Screen>
      </main>
      {asking?.what === "create" && <CreateDialog onClose={close} />}
      {asking?.what === "invite" && <InviteDialog user={asking.user} onClose={close} />}
      {asking?.what === "delete" && (
        <DeletionDialog
          user={asking.user.id}
          email={asking.user.email}
          onClose={close}
          onDone={() => {
            close();
            leaveOut(asking.user);
          }}
        />
      )}
    </div>
  );
}

/** Users page by page, for what is being looked for. */
function useUsers(search: string) {
  const sought = useSettled(search);
  const ask = (after?: string) =>
    call("listUsers", { query: { ...(sought && { search: sought }), ...(after && { after }) } });
  const { answer: first, refusal, again } = useAnswer(() => ask(), [sought]);
  const [further, setFurther] = useState<UserList>();
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());
  const { isBusy, refusal: failure, run } = useDoing();
  useEffect(() => {
    setFurther(undefined);
    if (first && sought)
      announce(first.next ? "Many found." : `${counted(first.users.length, "user")} found.`);
  }, [first]);
  const { next } = further ?? first ?? {};
  const latest = useRef(first);
  latest.current = first;
  const more = () =>
    run(async () => {
      const found = await ask(next);
      // Somebody else is looked for by now.
      if (latest.current !== first) return;
      setFurther({ ...found, users: [...(further?.users ?? []), ...found.users] });
    });
  return {
    users: first && [...first.users, ...(further?.users ?? [])].filter(({ id }) => !deleted.has(id)),
    hasMore: next !== undefined,
    more,
    again,
    /** Asking anew would begin the list anew, far above whoever was deleted. */
    leaveOut: ({ id }: User) => setDeleted(new Set(deleted).add(id)),
    isBusy,
    refusal,
    failure,
  };
}

/** A text as soon as nobody types in it any more. Nothing typed is settled at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text ? QUIET_MS : 0);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function UserRow({ user, onAsk }: { readonly user: User; readonly onAsk: (asking: Asking) => void }) {
  const words = [
    user.profileSlug,
    counted(user.linkTrees, "link tree"),
    counted(user.activeKeys, "key"),
    user.updatedAt ? `changed ${dayOf(user.updatedAt)}` : "damaged",
  ];
  return (
    <li class="card item">
      <a class="item-words" href={hashOf({ section: "profile", user: user.id })}>
        <strong>{user.email}</strong>
        <span>{words.join(" · ")}</span>
      </a>
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-label={`Invite ${user.email}`}
          onClick={() => onAsk({ what: "invite", user })}
        >
          Invite
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`Delete ${user.email}`}
          onClick={() => onAsk({ what: "delete", user })}
        >
          <Icon name="bin" />
        </button>
      </div>
    </li>
  );
}

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [slug, setSlug] = useState<string>();
  const { isBusy, refusal, problemAt, run } = useDoing();
  // A name in another script suggests nothing.
  const suggested = slugFor(name) || slugFor(email.replace(/@.*/, ""));
  const create = () =>
    run(async () => {
      const body = {
        email: email.trim(),
        // Phones begin what is typed with a capital, and end it with a blank.
        slug: (slug ?? suggested).trim().toLowerCase(),
        ...(name.trim() && { name: name.trim() }),
      };
      const user = await call("createUser", { body });
      announce(`${user.email} is there.`);
      go({ section: "profile", user: user.id });
    });
  const fields = [
    { id: "new-email", of: "email", label: "E-mail address", value: email, set: setEmail },
    { id: "new-name", of: "name", label: "Name", value: name, set: setName, isOptional: true },
    { id: "new-slug", of: "slug", label: "Address of the profile", value: slug ?? suggested, set: setSlug },
  ];
  return (
    <Dialog title="New user" isBusy={isBusy} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        {fields.map(({ id, of, label, value, set, isOptional }) => (
          <FieldFrame key={id} id={id} label={label} problem={problemAt(of)} isOptional={isOptional}>
            <input
              id={id}
              class="input"
              required={!isOptional}
              autocomplete="off"
              value={value}
              {...notesOf(id, problemAt(of))}
              onInput={(event) => set(event.currentTarget.value)}
            />
          </FieldFrame>
        ))}
        <Refused refusal={refusal} />
        <div class="actions">
          <button type="submit" class="button primary" aria-disabled={isBusy}>
            Create
          </button>
          <CloseButton isBusy={isBusy} onClose={onClose}>
            Cancel
          </CloseButton>
        </div>
      </form>
    </Dialog>
  );
}

function InviteDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const [invitation, setInvitation] = useState<InvitationLink>();
  const { isBusy, refusal, run } = useDoing();
  const make = () => run(async () => setInvitation(await call("inviteUser", { user: user.id })));
  return (
    <Dialog title={`Invite ${user.email}`} onClose={onClose}>
      {invitation ? (
        <>
          <p>Send this link to them yourself. It lets them in once, until {dayOf(invitation.expiresAt)}.</p>
          <Copyable text={invitation.url} what="the link" />
        </>
      ) : (
        <p>You get a link that lets its owner into the studio once. It works for seven days.</p>
      )}
      <Refused refusal={refusal} />
      <div class="actions">
        {!invitation && (
          <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void make()}>
            Make the link
          </button>
        )}
        <button type="button" class="button" onClick={onClose}>
          {invitation ? "Done" : "Cancel"}
        </button>
      </div>
    </Dialog>
  );
}
