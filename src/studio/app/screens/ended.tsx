import { PAGES, type Visitor, type WaysIn } from "../../contract.ts";
import { useDoing } from "../asking.ts";
import { Refused } from "../controls/asked.tsx";
import { Dialog } from "../controls/dialog.tsx";
import { canUsePasskeys, signInByPasskey } from "../passkeys.ts";
import { goOn, startAnew } from "../session.ts";

/** Shown over everything when a session ended meanwhile. What was being edited waits behind it. */
export function EndedDialog({ who, ways }: { readonly who: Visitor; readonly ways: WaysIn }) {
  const { isBusy, refusal, run } = useDoing();
  const isOwner = who.kind === "owner";
  return (
    <Dialog title="You were signed out">
      <p>
        Nothing is lost: what you were editing is still here.{" "}
        {isOwner
          ? "Sign in again to go on. If you cannot, open a new invitation in another tab, and go on here."
          : "Run vitrine studio --link, open the link that it prints in another tab, and go on here."}
      </p>
      <Refused refusal={refusal} />
      <div class="actions">
        {isOwner && ways.passkey && canUsePasskeys() && (
          <button
            type="button"
            class="button primary"
            aria-disabled={isBusy}
            onClick={() => void run(signInByPasskey)}
          >
            Sign in with a passkey
          </button>
        )}
        {isOwner && ways.oidc && (
          <a class="button" href={PAGES.oidcStart} target="_blank" rel="noreferrer">
            Sign in with your organisation
          </a>
        )}
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void run(goOn)}>
          I am signed in again
        </button>
        <button type="button" class="button danger" onClick={() => startAnew()}>
          Leave without saving
        </button>
      </div>
    </Dialog>
  );
}
