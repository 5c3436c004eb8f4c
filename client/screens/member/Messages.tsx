import { OperatorText } from "#client/components/OperatorText.tsx";
import { BadgeCheck, Dices, Gift, Landmark, Mail, ReceiptText, ShieldAlert, type LucideIcon } from "lucide-react";
import { Link } from "react-router";
import { ButtonLink } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useMessages } from "./use-messages.ts";
import type { TextKey } from "#client/text/i18n.ts";
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
    <Screen title={text("messages.title")}>
      <EndlessList
        pages={pages}
        label={text("messages.list")}
        keyOf={({ id }) => id}
        row={(message) => <MessageCard message={message} isNew={isNew(message.id)} />}
        skeleton={<SkeletonRows className="h-22" />}
        empty={
          <EmptyNote drawing="messages" title={text("messages.empty")}>
            <p className="text-muted">{text("messages.emptyHint")}</p>
            <ButtonLink look="quiet" to="/Notice">
              {text("notices.title")}
            </ButtonLink>
          </EmptyNote>
        }
      />
    </Screen>
  );
}

/** By the first word of the message kind: its icon, and where to go on from there: to the record that it speaks of, if any. */
const WAYS: Record<string, { Icon: LucideIcon; to: string; says: TextKey }> = {
  withdraw: { Icon: Landmark, to: "/WithdrawRecord", says: "mine.withdrawRecord" },
  recharge: { Icon: ReceiptText, to: "/RechargeRecord", says: "mine.rechargeRecord" },
  round: { Icon: Dices, to: "/GameRecord", says: "mine.bets" },
  membership: { Icon: BadgeCheck, to: "/Plans", says: "mine.plans" },
  wheel: { Icon: Gift, to: "/FairWheel", says: "wheel.check" },
  security: { Icon: ShieldAlert, to: "/Security", says: "messages.notYou" },
};

function MessageCard({ message, isNew }: { message: Message; isNew: boolean }) {
  const text = useText();
  const time = useTime();
  const { kind, record, create_time } = message;
  const way = WAYS[kind.split(".")[0]!];
  const Icon = way?.Icon ?? Mail;
  return (
    <Card className="flex gap-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-brand-soft text-brand-text">
        <Icon size={20} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <Words message={message} />
        </p>
        {way && (
          <Link
            to={record === "" ? way.to : `${way.to}?id=${record}`}
            className="inline-flex min-h-11 items-center text-sm text-brand-text underline-offset-4 hover:underline"
          >
            {text(record === "" ? way.says : "receipt.show")}
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

/** A message, and in it what the operator wrote. */
function Words({ message: { text: whole, reason, langs } }: { message: Message }) {
  const [before, ...after] = reason === "" ? [whole] : whole.split(reason);
  if (langs?.reason === undefined || after.length === 0) return whole;
  return (
    <>
      {before}
      <OperatorText text={reason} lang={langs.reason} />
      {after.join(reason)}
    </>
  );
}
