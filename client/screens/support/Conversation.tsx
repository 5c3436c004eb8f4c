import { useLayoutEffect, type ReactNode } from "react";
import { Button } from "#client/components/Button.tsx";
import { EmptyDrawing } from "#client/components/EmptyDrawing.tsx";
import { FailureText } from "#client/components/FailureText.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { OperatorText } from "#client/components/OperatorText.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { SupportMessage } from "#shared/contract/support.ts";
import { DIVIDER } from "#shared/format.ts";
import { Composer } from "./Composer.tsx";
import { SentPicture } from "./SentPicture.tsx";
import { useConversation } from "./use-conversation.ts";
import type { Outgoing } from "./outbox.ts";
import { useSending, type Sending } from "./use-sending.ts";

/** The member's conversation with the customer service, the newest message last. `children` stand at its beginning. */
export function Conversation({ children }: { children: ReactNode }) {
  const text = useText();
  const pages = useConversation();
  const sending = useSending();
  const { rows, isPending, isLoadingError, error, refetch } = pages;
  const isEmpty = rows.length === 0 && sending.all.length === 0;
  useBottom(`${rows[0]?.id} ${sending.all.length} ${sending.isHeld}`);
  return (
    <div className="flex min-h-[calc(100dvh-6rem)] flex-col gap-4">
      <div className="flex flex-col gap-3">{children}</div>
      <div className="flex flex-1 flex-col justify-end">
        <Earlier pages={pages} />
        {isPending && <SkeletonRows className="h-16" />}
        {isLoadingError && <FailedNote error={error} onRetry={() => void refetch()} />}
        {!isPending && !isLoadingError && isEmpty && <Beginning />}
        <div role="log" aria-label={text("service.list")}>
          <ol className="flex flex-col gap-3 py-2 empty:hidden">
            {rows.toReversed().map((message) => (
              <li key={message.id} className="contents">
                <Message message={message} />
              </li>
            ))}
            {sending.all.map((one) => (
              <li key={one.key} className="contents">
                <OnItsWay one={one} sending={sending} />
              </li>
            ))}
          </ol>
        </div>
      </div>
      <Composer onSend={sending.add} />
    </div>
  );
}

/** Brings what was said before the oldest message shown. */
function Earlier({ pages }: { pages: ReturnType<typeof useConversation> }) {
  const text = useText();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = pages;
  if (isFetchNextPageError) return <FailedNote error={error} onRetry={() => void fetchNextPage()} />;
  if (!hasNextPage) return null;
  return (
    <Button look="bare" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()} className="self-center">
      {text("service.earlier")}
    </Button>
  );
}

/** Scrolls to the end when a message is added there. */
function useBottom(newest: string): void {
  useLayoutEffect(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
  }, [newest]);
}

function Beginning() {
  const text = useText();
  return (
    <div className="m-auto flex flex-col items-center gap-3 px-6 py-8 text-center text-balance">
      <EmptyDrawing name="conversation" />
      <p className="text-base font-semibold">{text("service.empty")}</p>
      <p className="text-muted">{text("service.emptyHint")}</p>
    </div>
  );
}

function Message({ message: { id, from, text: says, langs, picture, create_time } }: { message: SupportMessage }) {
  const text = useText();
  const time = useTime();
  const isOwn = from === "member";
  return (
    <Bubble isOwn={isOwn} below={`${text(isOwn ? "service.you" : "service.frame")}${DIVIDER}${time(create_time)}`}>
      {picture === 1 ? (
        <SentPicture id={id} alt={text("service.sentPicture", { time: time(create_time) })} />
      ) : (
        <Words lang={langs?.text}>{says}</Words>
      )}
    </Bubble>
  );
}

function OnItsWay({ one, sending: { isHeld, drop, retry } }: { one: Outgoing; sending: Sending }) {
  const text = useText();
  const isStopped = one.refusal !== undefined;
  const state = isStopped
    ? text("service.refused", { why: one.refusal! })
    : text(isHeld ? "service.kept" : "service.sending");
  return (
    <>
      <Bubble isOwn below={<FailureText>{state}</FailureText>} isBad={isStopped}>
        <Words>{one.file?.name ?? one.text}</Words>
      </Bubble>
      {(isStopped || isHeld) && (
        <div className="-mt-3 flex justify-end">
          <Button look="bare" onClick={() => drop(one.key)}>
            {text("service.drop")}
          </Button>
          <Button look="bare" onClick={() => retry(one.key)}>
            {text("action.retry")}
          </Button>
        </div>
      )}
    </>
  );
}

interface BubbleProps {
  isOwn: boolean;
  below: ReactNode;
  isBad?: boolean;
  children: ReactNode;
}

function Bubble({ isOwn, below, isBad = false, children }: BubbleProps) {
  return (
    <div className={`flex max-w-[85%] flex-col gap-1 ${isOwn ? "items-end self-end" : "items-start self-start"}`}>
      <div
        className={`max-w-full overflow-hidden rounded-lg ${isOwn ? "rounded-ee-none bg-brand-soft" : "rounded-es-none border border-line bg-card"}`}
      >
        {children}
      </div>
      <p className={`text-xs ${isOwn ? "text-end" : ""} ${isBad ? "text-bad" : "text-muted"}`}>{below}</p>
    </div>
  );
}

const Words = ({ children, lang }: { children: string; lang?: string | undefined }) => (
  <p dir="auto" className="px-4 py-2.5 wrap-anywhere whitespace-pre-line">
    <OperatorText text={children} lang={lang} />
  </p>
);
