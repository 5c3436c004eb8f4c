import { useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { PullToRefresh, useRefresh } from "#client/components/PullToRefresh.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { sessionList } from "#shared/contract/session.ts";
import { deviceName } from "./device-name.ts";
import { ALL_OTHERS, EndSheet } from "./EndSheet.tsx";
import { SessionCard, type Session } from "./SessionCard.tsx";

/** The devices where the member is logged in, and a way to log them out. */
export default function Sessions() {
  const text = useText();
  // Always refetched, because members check it for intruders. Beyond 50 sessions, "log out all others" still works.
  const { data, isError, error, refetch } = useEndpoint(sessionList, { limit: "50" }, { staleTime: 0 });
  const refresh = useRefresh(refetch);
  return (
    <Screen title={text("sessions.title")}>
      {data ? (
        <PullToRefresh onRefresh={refresh}>
          <Devices sessions={data} />
        </PullToRefresh>
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy>
          <SkeletonRows rows={3} className="h-40" />
        </div>
      )}
    </Screen>
  );
}

function Devices({ sessions }: { sessions: readonly Session[] }) {
  const text = useText();
  const [ending, setEnding] = useState(ALL_OTHERS);
  const [isAsked, ask] = useState(false);
  const askFor = (wanted: typeof ending) => {
    setEnding(wanted);
    ask(true);
  };
  const hasOthers = sessions.some(({ current }) => current === 0);
  return (
    <div className="flex flex-col gap-4">
      {hasOthers && <p className="text-sm text-muted">{text("sessions.hint")}</p>}
      <ul aria-label={text("sessions.list")} className="flex flex-col gap-3">
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionCard
              session={session}
              onEnd={() => askFor({ id: session.id, device: deviceName(session.agent, text) })}
            />
          </li>
        ))}
      </ul>
      {hasOthers ? (
        <Button look="quiet" className="w-full" onClick={() => askFor(ALL_OTHERS)}>
          {text("sessions.endAll")}
        </Button>
      ) : (
        <EmptyNote drawing="devices" title={text("sessions.onlyHere")}>
          <ButtonLink look="quiet" to="/Security">
            {text("security.title")}
          </ButtonLink>
        </EmptyNote>
      )}
      <EndSheet ending={ending} isOpen={isAsked} onClose={() => ask(false)} />
    </div>
  );
}
