import { useQueryClient } from "@tanstack/react-query";
import { OperatorText } from "#client/components/OperatorText.tsx";
import {
  BadgeCheck,
  Dices,
  Gift,
  Landmark,
  Mail,
  MessageCircle,
  ReceiptText,
  ShieldAlert,
  type LucideIcon,
} from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { call, type InputFor } from "#client/api/call.ts";
import { usePages } from "#client/api/pages.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { PeriodFilter, usePeriod } from "#client/components/RecordFilter.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SelectField } from "#client/components/SelectField.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import type { TextKey } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { messageList, readMessages, type MessageTopic } from "#shared/contract/member.ts";

type Message = ReplyOf<typeof messageList>[number];

/** The account's messages, newest first; new ones arrive by push. */
export default function Messages() {
  const text = useText();
  const { about, choose, input, isAll } = useMessageFilter();
  const { pages, isNew } = useMessages(input, isAll);
  return (
    <Screen title={text("messages.title")}>
      <div className="mb-4 grid items-start gap-3 sm:grid-cols-2">
        <SelectField
          name="about"
          label={text("messages.about")}
          none={text("security.all")}
          options={TOPICS.map((topic) => ({ value: topic, text: text(WAYS[topic].about) }))}
          value={about}
          onValue={choose}
        />
        <PeriodFilter />
      </div>
      <EndlessList
        pages={pages}
        label={text("messages.list")}
        keyOf={({ id }) => id}
        row={(message) => <MessageCard message={message} isNew={isNew(message.id)} />}
        skeleton={<SkeletonRows className="h-22" />}
        empty={isAll ? <NoMessages /> : <NoneOfThese />}
      />
    </Screen>
  );
}

function NoMessages() {
  const text = useText();
  return (
    <EmptyNote drawing="messages" title={text("messages.empty")}>
      <p className="text-muted">{text("messages.emptyHint")}</p>
      <ButtonLink look="quiet" to="/Notice">
        {text("notices.title")}
      </ButtonLink>
    </EmptyNote>
  );
}

/** Nothing about what was chosen, or in the chosen period. */
function NoneOfThese() {
  const text = useText();
  return (
    <EmptyNote drawing="messages" title={text("messages.empty")}>
      <ButtonLink look="quiet" replace to="/Messages">
        {text("security.all")}
      </ButtonLink>
    </EmptyNote>
  );
}

interface Way {
  Icon: LucideIcon;
  /** What the messages are about. */
  about: TextKey;
  to: string;
  /** Where a record stands that has a screen of its own. */
  at?: string;
  says: TextKey;
  /** What it says instead under what the house did, and gave a reason for. */
  saysOfHouse?: TextKey;
}

/** By the first word of the message kind: its icon, and where to go on from there: to the record that it speaks of, if any. */
const WAYS = {
  withdraw: { Icon: Landmark, about: "withdraw.title", to: "/WithdrawRecord", says: "mine.withdrawRecord" },
  recharge: { Icon: ReceiptText, about: "recharge.title", to: "/RechargeRecord", says: "mine.rechargeRecord" },
  round: { Icon: Dices, about: "mine.bets", to: "/GameRecord", says: "mine.bets" },
  membership: { Icon: BadgeCheck, about: "mine.plans", to: "/Plans", says: "mine.plans" },
  wheel: { Icon: Gift, about: "wheel.title", to: "/FairWheel", says: "wheel.check" },
  comment: {
    Icon: MessageCircle,
    about: "listing.comments",
    to: "/nHomeList",
    at: "/nHomeDetail",
    says: "listing.title",
  },
  security: {
    Icon: ShieldAlert,
    about: "security.title",
    to: "/Security",
    says: "messages.notYou",
    saysOfHouse: "security.title",
  },
} satisfies Record<MessageTopic, Way>;
const TOPICS = Object.keys(WAYS) as (keyof typeof WAYS)[];
const isTopic = (word: string | undefined): word is keyof typeof WAYS => TOPICS.some((topic) => topic === word);

/** What the list is about and of when, kept in the address so that Back finds it. */
function useMessageFilter() {
  const [params, setParams] = useSearchParams();
  const { input, isAll } = usePeriod();
  const asked = params.get("about") ?? "";
  const about = isTopic(asked) ? asked : "";
  const choose = (topic: string) => {
    const others = [...params].filter(([name]) => name !== "about");
    setParams([...others, ...(topic === "" ? [] : [["about", topic] as [string, string]])], { replace: true });
  };
  return { about, choose, input: about === "" ? input : { ...input, about }, isAll: isAll && about === "" };
}

/**
 * The member's messages, newest first, or some of them. Showing all of them marks them as read. Some cannot be marked,
 * because a mark takes every older one. `isNew` tells which were unread before.
 */
function useMessages(input: Partial<InputFor<typeof messageList>>, isAll: boolean) {
  const client = useQueryClient();
  const pages = usePages(messageList, (rows) => rows, { limit: 20, input });
  const [fresh, keep] = useState<ReadonlySet<string>>(new Set());
  const unread = pages.rows.filter((row) => row.unread === 1 && !fresh.has(row.id)).map(({ id }) => id);
  if (unread.length > 0) keep(new Set([...fresh, ...unread]));
  const newest = pages.rows[0];
  const unseen = isAll && newest?.unread === 1 ? newest.id : null;
  useEffect(() => {
    if (unseen === null) return;
    const renew = () => client.invalidateQueries({ queryKey: [messageList.path] });
    // What is not marked now is marked with the next message, or at the next visit.
    call(readMessages, { id: unseen }).then(renew, () => undefined);
    // Each newest message is marked once.
  }, [unseen]);
  return { pages, isNew: (id: string) => fresh.has(id) };
}

function MessageCard({ message, isNew }: { message: Message; isNew: boolean }) {
  const text = useText();
  const time = useTime();
  const { kind, record, reason, create_time } = message;
  const topic = kind.split(".")[0];
  const way: Way | undefined = isTopic(topic) ? WAYS[topic] : undefined;
  const Icon = way?.Icon ?? Mail;
  const says = (reason === "" ? undefined : way?.saysOfHouse) ?? way?.says;
  return (
    <Card className="flex gap-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-brand-soft text-brand-text">
        <Icon size={20} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <Words message={message} />
        </p>
        {way && says && (
          <Link
            to={record === "" ? way.to : `${way.at ?? way.to}?id=${record}`}
            className="inline-flex min-h-11 items-center text-sm text-brand-text underline-offset-4 hover:underline"
          >
            {text(record === "" ? says : "receipt.show")}
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
