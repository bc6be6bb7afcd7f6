import { useState } from "preact/hooks";
import type { Passkey, Session } from "../../contract.ts";
import { useAnswer, useDoing } from "../asking.ts";
import { call, orGone } from "../calls.ts";
import { announce } from "../controls/announcer.tsx";
import { Awaited, Refused } from "../controls/asked.tsx";
import { Icon } from "../controls/icon.tsx";
import { Question } from "../controls/question.tsx";
import { Screen } from "../controls/screen.tsx";
import { useEditor } from "../editing/editor.ts";
import { useObserved } from "../observable.ts";
import { canUsePasskeys, makePasskey } from "../passkeys.ts";
import { go } from "../routes.ts";
import { leave, signOut } from "../session.ts";
import { dayOf, minuteOf } from "../words.ts";
import { DeletionDialog } from "./deletion.tsx";

interface Props {
  readonly user: string;
  readonly isOperator: boolean;
}

/** How somebody comes in, where they are in, and the way out for good. */
export function AccountScreen({ user, isOperator }: Props) {
  const editor = useEditor();
  const email = useObserved(editor.state, ({ stored }) => stored.email);
  const [isDeleting, setDeleting] = useState(false);
  const { isBusy, refusal, run } = useDoing();
  return (
    <Screen
      title="Account"
      intro={<p>{email}</p>}
      actions={
        !isOperator && (
          <button
            type="button"
            class="button"
            aria-disabled={isBusy}
            onClick={() => editor.leave(() => void run(signOut))}
          >
            Sign out
          </button>
        )
      }
    >
      <Refused refusal={refusal} />
      <Passkeys user={user} isOperator={isOperator} />
      {!isOperator && <Sessions leaveBy={(wayOut) => editor.leave(wayOut)} />}
      <h2>Delete everything</h2>
      <section class="card">
        <p>The record, its pages, keys, numbers and history are removed, and nobody can bring them back.</p>
        <div class="actions">
          <button type="button" class="button danger" onClick={() => setDeleting(true)}>
            <Icon name="bin" />
            Delete everything
          </button>
        </div>
      </section>
      {isDeleting && (
        <DeletionDialog
          user={user}
          email={email}
          onDone={() => {
            editor.discard();
            if (isOperator) go({ section: "users" });
            else leave("Everything of yours is deleted.");
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Screen>
  );
}

function Passkeys({ user, isOperator }: Props) {
  const editor = useEditor();
  const { answer: passkeys, refusal, again } = useAnswer(() => call("listPasskeys", { user }), [user]);
  const making = useDoing();
  const removing = useDoing();
  const [asked, setAsked] = useState<Passkey>();
  const make = async () => {
    if (!(await making.run(() => makePasskey(user)))) return;
    announce("The passkey is made.");
    again();
  };
  // With the last one, all sessions of its owner end.
  const isLast = !isOperator && passkeys?.length === 1;
  const remove = async (passkey: string) => {
    if (!(await removing.run(() => orGone(call("removePasskey", { user, passkey }))))) return;
    announce("The passkey is removed.");
    if (isLast) leave("Your last passkey is removed, and you are signed out.");
    else again();
  };
  return (
    <>
      <h2>Passkeys</h2>
      <section class="card">
        <p class="hint">
          A passkey is kept by a device or a password manager, and signs {isOperator ? "its owner" : "you"} in
          without a password. With the last one all sessions end.
        </p>
        <Awaited answer={passkeys} refusal={refusal} again={again} />
        <Refused refusal={making.refusal ?? removing.refusal} />
        {passkeys?.length === 0 && (
          <p>
            There is none yet.
            {!isOperator && " Without one, you need a new invitation once you are signed out."}
          </p>
        )}
        <ul class="lines">
          {passkeys?.map((passkey) => (
            <li key={passkey.id}>
              <span class="item-words">
                <strong>{passkey.name}</strong>
                <span>
                  Made {dayOf(passkey.createdAt)}
                  {passkey.lastUsedAt ? ` · last used ${dayOf(passkey.lastUsedAt)}` : ""}
                </span>
              </span>
              <button
                type="button"
                class="button"
                aria-disabled={removing.isBusy}
                aria-label={`Remove the passkey ${passkey.name} of ${dayOf(passkey.createdAt)}`}
                onClick={() => removing.isBusy || setAsked(passkey)}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
        {!isOperator && canUsePasskeys() && (
          <div class="actions">
            <button type="button" class="button" aria-disabled={making.isBusy} onClick={() => void make()}>
              <Icon name="plus" />
              Make a passkey on this device
            </button>
          </div>
        )}
      </section>
      {asked && (
        <Question
          title={`Remove the passkey “${asked.name}”?`}
          yes="Remove it"
          no="Keep it"
          onYes={() => {
            setAsked(undefined);
            const wayOut = () => void remove(asked.id);
            if (isLast) editor.leave(wayOut);
            else wayOut();
          }}
          onClose={() => setAsked(undefined)}
        >
          Nobody can sign in with it any more, and that cannot be undone.
          {isLast &&
            " It is your last one: you are signed out everywhere, and need a new invitation to come back."}
        </Question>
      )}
    </>
  );
}

const WAYS: Readonly<Record<Session["way"], string>> = {
  link: "by the link of the command",
  invitation: "by an invitation",
  passkey: "by passkey",
  oidc: "by your organisation",
};

interface SessionsProps {
  /** Takes the way out, once nothing is lost by it. */
  readonly leaveBy: (wayOut: () => void) => void;
}

/** Where somebody is signed in, each to be ended by itself. */
export function Sessions({ leaveBy }: SessionsProps) {
  const { answer: sessions, refusal, again } = useAnswer(() => call("listSessions", {}), []);
  const { isBusy, refusal: failure, run } = useDoing();
  const end = async (session: string) => {
    if (!(await run(() => orGone(call("endSession", { session }))))) return;
    announce("The session is ended.");
    again();
  };
  const endAll = async () => {
    if (await run(() => call("endAllSessions", {}))) leave("You are signed out everywhere.");
  };
  return (
    <>
      <h2>Signed in</h2>
      <section class="card">
        <Awaited answer={sessions} refusal={refusal} again={again} />
        <Refused refusal={failure} />
        <ul class="lines">
          {sessions?.map((session) => (
            <li key={session.id}>
              <span class="item-words">
                <strong>{session.device}</strong>
                <span>
                  Since {minuteOf(session.createdAt)}, {WAYS[session.way]} · last seen{" "}
                  {minuteOf(session.lastSeenAt)}
                </span>
              </span>
              {session.isThisOne ? (
                <span class="pill">Here</span>
              ) : (
                <button
                  type="button"
                  class="button"
                  aria-disabled={isBusy}
                  aria-label={`End the session on ${session.device} since ${minuteOf(session.createdAt)}`}
                  onClick={() => void end(session.id)}
                >
                  End
                </button>
              )}
            </li>
          ))}
        </ul>
        <div class="actions">
          <button
            type="button"
            class="button"
            aria-disabled={isBusy}
            onClick={() => leaveBy(() => void endAll())}
          >
            Sign out everywhere
          </button>
        </div>
      </section>
    </>
  );
}
