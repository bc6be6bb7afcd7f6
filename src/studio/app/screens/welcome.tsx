import type { User } from "../../contract.ts";
import { useDoing } from "../asking.ts";
import { announce } from "../controls/announcer.tsx";
import { Refused } from "../controls/asked.tsx";
import { Doorway } from "../controls/doorway.tsx";
import { Icon } from "../controls/icon.tsx";
import { canUsePasskeys, makePasskey } from "../passkeys.ts";
import { settle } from "../session.ts";

/** What somebody sees who came by an invitation: how to come back. */
export function WelcomeScreen({ user }: { readonly user: User }) {
  const { isBusy, refusal, run } = useDoing();
  const make = async () => {
    if (!(await run(() => makePasskey(user.id)))) return;
    announce("Your passkey is made.");
    settle();
  };
  return (
    <Doorway title="Make a passkey">
      <p class="lead">
        It is how you come back. Your device keeps it, and opens it with your finger, your face or its PIN.
        There is no password to forget.
      </p>
      {!canUsePasskeys() && (
        <p class="note warning">This browser has no passkeys. You can make one later in another.</p>
      )}
      <Refused refusal={refusal} />
      <div class="door-ways">
        {canUsePasskeys() && (
          <button
            type="button"
            class="button primary large"
            aria-disabled={isBusy}
            onClick={() => void make()}
          >
            <Icon name="passkey" />
            Make a passkey
          </button>
        )}
        <button type="button" class="button large" onClick={settle}>
          Later
        </button>
      </div>
      <p class="hint">Without one, you need a new invitation once you are signed out.</p>
    </Doorway>
  );
}
