import { useId, useState } from "preact/hooks";
import type { AddedHook, Hook, HookEvent } from "../../contract.ts";
import { useAnswer, useDoing } from "../asking.ts";
import { call, orGone } from "../calls.ts";
import { announce } from "../controls/announcer.tsx";
import { Awaited, Refused } from "../controls/asked.tsx";
import { Checks } from "../controls/checks.tsx";
import { Copyable } from "../controls/copyable.tsx";
import { FieldFrame } from "../controls/field.tsx";
import { Icon } from "../controls/icon.tsx";
import { Question } from "../controls/question.tsx";
import { Screen } from "../controls/screen.tsx";
import { newHooks, useShownOnce } from "../shown-once.ts";
import { dayOf, listed } from "../words.ts";

/** What a hook can be told of, in the words of a choice. */
const CHOICES: Readonly<Record<HookEvent, string>> = {
  "record.changed": "My record has changed",
  "key.expiring": "A key of mine expires soon",
};

/** The same in the words of a list. */
const EVENTS: Readonly<Record<HookEvent, string>> = {
  "record.changed": "changes",
  "key.expiring": "keys that expire",
};

export function HooksScreen({ user }: { readonly user: string }) {
  const { answer: hooks, refusal, again } = useAnswer(() => call("listHooks", { user }), [user]);
  const { shown, show, putAway } = useShownOnce(newHooks, user);
  const [removing, setRemoving] = useState<Hook>();
  const remove = async (hook: Hook) => {
    await orGone(call("removeHook", { user, hook: hook.id }));
    announce("The hook is removed.");
    putAway(hook);
    setRemoving(undefined);
    again();
  };
  return (
    <Screen
      title="Hooks"
      intro={
        <p>
          A hook tells another service when something changes, such as the host that builds your web site from
          your record. It is sent a message within seconds.
        </p>
      }
    >
      {shown.map(({ what: hook, secret }) => (
        <Secret key={hook.id} hook={hook} secret={secret} onDone={() => putAway(hook)} />
      ))}
      <NewHookForm
        user={user}
        onAdded={({ hook, secret }) => {
          if (secret) show(hook, secret);
          again();
          announce(secret ? "The hook is added. Copy its secret now." : "The hook is added.");
        }}
      />
      <Awaited answer={hooks} refusal={refusal} again={again} />
      {hooks && <h2>Yours</h2>}
      {hooks?.length === 0 && <p class="empty">There are no hooks yet.</p>}
      <ul class="items">
        {hooks?.map((hook) => (
          <HookItem
            key={hook.id}
            user={user}
            hook={hook}
            onTested={again}
            onRemove={() => setRemoving(hook)}
          />
        ))}
      </ul>
      {removing && (
        <Question
          title={`Remove the hook to ${removing.origin}?`}
          yes="Remove it"
          no="Keep it"
          onYes={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        >
          Nothing is sent there any more, not even what is on its way.
        </Question>
      )}
    </Screen>
  );
}

interface SecretProps {
  readonly hook: Hook;
  readonly secret: string;
  readonly onDone: () => void;
}

/** The one time that a secret is shown. */
function Secret({ hook, secret, onDone }: SecretProps) {
  const headingId = useId();
  return (
    <section class="card minted" aria-labelledby={headingId}>
      <h2 id={headingId}>The secret of your new hook to {hook.origin}</h2>
      <p>Copy it now, for the receiver to verify messages with. It is not shown again.</p>
      <Copyable text={secret} what="the secret" />
      <div class="actions">
        <button type="button" class="button primary" onClick={onDone}>
          I have copied it
        </button>
      </div>
    </section>
  );
}

interface FormProps {
  readonly user: string;
  readonly onAdded: (added: AddedHook) => void;
}

function NewHookForm({ user, onAdded }: FormProps) {
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly HookEvent[]>(["record.changed"]);
  const [isSigned, setSigned] = useState(false);
  const [headers, setHeaders] = useState("");
  const [text, setText] = useState("");
  const { isBusy, refusal, run } = useDoing();
  const add = () =>
    run(async () => {
      const lines = headers.split("\n").filter((line) => line.trim() !== "");
      const body = isSigned || text === "" ? null : text;
      onAdded(
        await call("addHook", { user, body: { url: url.trim(), events, isSigned, headers: lines, body } }),
      );
      setUrl("");
      setHeaders("");
      setText("");
    });
  return (
    <form
      class="card new-hook"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <FieldFrame
        id="hook-url"
        label="Address"
        hint="Many of these are secrets, so that only the beginning is shown later."
      >
        <input
          id="hook-url"
          class="input"
          type="url"
          required
          placeholder="https://host.example/deploy/…"
          autocomplete="off"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </FieldFrame>
      <fieldset class="field switches">
        <legend class="field-head">Send a message when</legend>
        <Checks names={CHOICES} chosen={events} onChange={setEvents} />
      </fieldset>
      <details class="paths">
        <summary>What is sent</summary>
        <label class="check">
          <input
            type="checkbox"
            checked={isSigned}
            onChange={(event) => setSigned(event.currentTarget.checked)}
          />
          A signed message, which says what has changed (Standard Webhooks)
        </label>
        {!isSigned && (
          <FieldFrame id="hook-body" label="Body" isOptional>
            <textarea
              id="hook-body"
              class="input"
              rows={2}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </FieldFrame>
        )}
        <FieldFrame id="hook-headers" label="Headers" hint="One in a line, as Name: value." isOptional>
          <textarea
            id="hook-headers"
            class="input"
            rows={2}
            placeholder="Authorization: Bearer …"
            value={headers}
            onInput={(event) => setHeaders(event.currentTarget.value)}
          />
        </FieldFrame>
      </details>
      <button type="submit" class="button primary" disabled={events.length === 0} aria-disabled={isBusy}>
        <Icon name="plus" />
        Add the hook
      </button>
      <Refused refusal={refusal} />
    </form>
  );
}

interface ItemProps {
  readonly user: string;
  readonly hook: Hook;
  readonly onTested: () => void;
  readonly onRemove: () => void;
}

function HookItem({ user, hook, onTested, onRemove }: ItemProps) {
  const { isBusy, refusal, run } = useDoing();
  const [said, setSaid] = useState<{ readonly wentWell: boolean; readonly words: string }>();
  const test = () =>
    run(async () => {
      const { wentWell, message } = await call("testHook", { user, hook: hook.id });
      const words = `${wentWell ? "It works." : "The test failed."} ${message}`;
      setSaid({ wentWell, words });
      announce(words);
      onTested();
    });
  return (
    <li class="card item">
      <div class="item-words">
        <strong>{hook.origin}</strong>
        <span>{wordsFor(hook)}</span>
        {hook.status !== "active" && <span class="problem">{troubleOf(hook)}</span>}
        {said && <span class={said.wentWell ? "hint" : "problem"}>{said.words}</span>}
        <Refused refusal={refusal} />
      </div>
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-label={`Test ${nameOf(hook)}`}
          aria-disabled={isBusy}
          onClick={() => void test()}
        >
          {isBusy ? "Testing…" : "Test"}
        </button>
        <button type="button" class="button danger" aria-label={`Remove ${nameOf(hook)}`} onClick={onRemove}>
          Remove
        </button>
      </div>
    </li>
  );
}

function nameOf({ origin, createdAt }: Hook): string {
  return `the hook to ${origin} of ${dayOf(createdAt)}`;
}

function troubleOf({ status, since }: Hook): string {
  const when = since ? ` since ${dayOf(since)}` : "";
  return status === "failing"
    ? `Failing${when}: its receiver does not take what it is sent.`
    : `Nothing is sent${when}, when its receiver said that it is gone. A test that goes well ends that.`;
}

function wordsFor({ events, isSigned, headers, createdAt }: Hook): string {
  const words = [
    `Told of ${listed(events.map((event) => EVENTS[event]))}`,
    ...(isSigned ? ["signed"] : []),
    ...(headers.length > 0 ? [`with ${listed(headers)}`] : []),
    `added ${dayOf(createdAt)}`,
  ];
  return words.join(" · ");
}
