import type { Invitation } from "../../contract.ts";
import { useDoing } from "../asking.ts";
import { call } from "../calls.ts";
import { Refused } from "../controls/asked.tsx";
import { Doorway } from "../controls/doorway.tsx";
import { comeIn } from "../session.ts";
import { dayOf } from "../words.ts";

interface Props {
  readonly secret: string;
  readonly invitation: Invitation;
}

/** What an invitation opens. Looking at it spends nothing, since programs that read mail look at every link. */
export function InvitationScreen({ secret, invitation }: Props) {
  const { isBusy, refusal, run } = useDoing();
  return (
    <Doorway title="You are invited">
      <p class="lead">
        This link lets <strong>{invitation.email}</strong> into the studio: the place to edit your profile and
        your link trees.
      </p>
      <Refused refusal={refusal} />
      <div class="door-ways">
        <button
          type="button"
          class="button primary large"
          aria-disabled={isBusy}
          onClick={() => void run(() => comeIn(() => call("takeInvitation", { body: { secret } }), true))}
        >
          Come in
        </button>
      </div>
      <p class="hint">It works once, until {dayOf(invitation.expiresAt)}.</p>
    </Doorway>
  );
}
