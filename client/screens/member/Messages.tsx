import { BadgeCheck, Landmark, Mail, ShieldAlert, type LucideIcon } from "lucide-react";
import { Link } from "react-router";
import { Card } from "#client/components/Card.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useMessages } from "./use-messages.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { messageList } from "#shared/contract/member.ts";

type Message = ReplyOf<typeof messageList>[number];

/** The account's messages, newest first; new ones arrive by push. */
export default function Messages() {
  const text = useText();
  const { pages, isNew } = useMessages();
  return (
    <Screen title={text("messages.title")} hasAmounts>
      <EndlessList
        pages={pages}
        label={text("messages.list")}
        keyOf={({ id }) => id}
        row={(message) => <MessageCard message={message} isNew={isNew(message.id)} />}
        skeleton={<SkeletonRows className="h-22" />}
        empty={
          <EmptyNote title={text("messages.empty")}>
            <p className="text-muted">{text("messages.emptyHint")}</p>
          </EmptyNote>
        }
      />
    </Screen>
  );
}

/** Icons by the first word of the message kind. */
const ICONS: Record<string, LucideIcon> = { withdraw: Landmark, membership: BadgeCheck, security: ShieldAlert };

function MessageCard({ message: { kind, text: says, create_time }, isNew }: { message: Message; isNew: boolean }) {
  const text = useText();
  const time = useTime();
  const Icon = ICONS[kind.split(".")[0]!] ?? Mail;
  return (
    <Card className="flex gap-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-brand-soft text-brand-text">
        <Icon size={20} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words">{says}</p>
        {kind.startsWith("security.") && (
          <Link
            to="/Security"
            className="inline-flex min-h-11 items-center text-sm text-brand-text underline-offset-4 hover:underline"
          >
            {text("messages.notYou")}
          </Link>
        )}
        <p className="mt-1 flex flex-wrap items-center justify-between gap-x-3 text-xs text-muted">
          {time(create_time)}
          {isNew && <span className="font-semibold text-brand-text">{text("messages.new")}</span>}
        </p>
      </div>
    </Card>
  );
}
