import { Announcer } from "./controls/announcer.tsx";
import { Doorway } from "./controls/doorway.tsx";
import { useObserved } from "./observable.ts";
import { place } from "./routes.ts";
import { DoorScreen } from "./screens/door.tsx";
import { EndedDialog } from "./screens/ended.tsx";
import { InvitationScreen } from "./screens/invitation.tsx";
import { UsersScreen } from "./screens/users.tsx";
import { WelcomeScreen } from "./screens/welcome.tsx";
import { Workspace } from "./screens/workspace.tsx";
import { arrive, type Standing, standing } from "./session.ts";

export function App() {
  const now = useObserved(standing, (value) => value);
  return (
    <>
      <AtStanding now={now} />
      <Announcer />
    </>
  );
}

function AtStanding({ now }: { readonly now: Standing }) {
  switch (now.at) {
    case "waiting":
      return <p class="waiting">One moment…</p>;
    case "unreachable":
      return (
        <Doorway title="The studio does not answer">
          <p>{now.message}</p>
          <button type="button" class="button primary" onClick={() => void arrive()}>
            Try again
          </button>
        </Doorway>
      );
    case "blocked":
      return (
        <Doorway title="Nobody can sign in here">
          <p>
            This browser blocks cookies and site data, by which the studio knows you, or has no room left for
            them. Allow them for this address, or clear what it keeps, and load the page again.
          </p>
        </Doorway>
      );
    case "door":
      return <DoorScreen ways={now.ways} notice={now.notice} />;
    case "refused":
      return (
        <Doorway title="This link did not work">
          <p class="lead">{now.message}</p>
          <p>
            In this browser <strong>{now.who.kind === "owner" ? now.who.user.email : "the operator"}</strong>{" "}
            is signed in.
          </p>
          <div class="door-ways">
            <button type="button" class="button primary large" onClick={() => void arrive()}>
              Go on
            </button>
          </div>
        </Doorway>
      );
    case "invitation":
      return <InvitationScreen secret={now.secret} invitation={now.invitation} />;
    case "inside":
      return <Inside now={now} />;
  }
}

type InsideStanding = Extract<Standing, { at: "inside" }>;

function Inside({ now }: { readonly now: InsideStanding }) {
  const here = useObserved(place, (value) => value);
  const { who, state } = now;
  if (who.kind === "owner" && now.isNew && state.ways.passkey) return <WelcomeScreen user={who.user} />;
  const user = who.kind === "owner" ? who.user.id : here?.user;
  return (
    <>
      {user === undefined ? (
        <UsersScreen />
      ) : (
        <Workspace
          key={user}
          user={user}
          isOperator={who.kind === "operator"}
          section={here && here.section !== "users" ? here.section : "profile"}
          item={here?.item}
          publicUrl={state.publicUrl}
        />
      )}
      {now.isEnded && <EndedDialog who={who} ways={state.ways} />}
    </>
  );
}
