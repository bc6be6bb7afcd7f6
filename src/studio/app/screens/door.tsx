import { PAGES, type WaysIn } from "../../contract.ts";
import { useDoing } from "../asking.ts";
import { Refused } from "../controls/asked.tsx";
import { Doorway } from "../controls/doorway.tsx";
import { Icon } from "../controls/icon.tsx";
import { canUsePasskeys, signInByPasskey } from "../passkeys.ts";

/** Where people sign in. Nobody has a password. */
export function DoorScreen({ ways, notice }: { readonly ways: WaysIn; readonly notice: string | undefined }) {
  const { isBusy, refusal, run } = useDoing();
  const passkey = ways.passkey && canUsePasskeys();
  return (
    <Doorway title="Your profile and your links">
      <p class="lead">Sign in to change them, to see your numbers, and to manage your keys.</p>
      <Refused refusal={refusal ?? notice} />
      <div class="door-ways">
        {passkey && (
          <button
            type="button"
            class="button primary large"
            aria-disabled={isBusy}
            onClick={() => void run(signInByPasskey)}
          >
            <Icon name="passkey" />
            Sign in with a passkey
          </button>
        )}
        {ways.oidc && (
          <a class={passkey ? "button large" : "button primary large"} href={PAGES.oidcStart}>
            Sign in with your organisation
          </a>
        )}
      </div>
      <p class="hint">
        New here, or is your passkey lost? Whoever runs this service can send you an invitation. If that is
        you, the command <code>vitrine studio --link</code> prints a link that lets you in.
      </p>
    </Doorway>
  );
}
