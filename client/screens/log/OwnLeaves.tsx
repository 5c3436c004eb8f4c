import { Card } from "#client/components/Card.tsx";
import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { KeptOwn } from "#client/watch/kept.ts";
import type { WatchReport } from "#client/watch/messages.ts";
import { parseChained, type ChainedKind, type Content } from "#shared/log/salted.ts";
import { toSeconds } from "#shared/time.ts";

const STEPS = {
  review: "withdrawalReview",
  approved: "withdrawalApproved",
  refused: "withdrawalRefused",
  paid: "withdrawalPaid",
} as const;
const COMMENTS = {
  waiting: "commentWaiting",
  shown: "commentShown",
  hidden: "commentHidden",
  removed: "commentRemoved",
} as const;
const LAST_DIGITS = 4;

/** What the house has signed about the member beside bets, newest first, each under its number. */
export function OwnLeaves({ own: { count, newest } }: Pick<WatchReport, "own">) {
  const text = useText();
  const older = count - newest.length;
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">{text("watch.own.title")}</h2>
      <p className="text-sm text-muted">{text(count === 0 ? "watch.own.none" : "watch.own.hint")}</p>
      <ol className="flex flex-col gap-2 text-sm" reversed start={count}>
        {newest.map((leaf) => (
          <Line key={leaf.number} leaf={leaf} />
        ))}
      </ol>
      {older > 0 && <p className="text-sm text-muted">{text("watch.own.older", { count: older })}</p>}
    </Card>
  );
}

function Line({ leaf: { number, content, at, told } }: { leaf: KeptOwn }) {
  const text = useText();
  const time = useTime();
  const money = useMoney();
  const said = parseChained(content);
  if (!said) return null;
  return (
    <li className="flex flex-col gap-0.5 border-t border-line pt-2">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">
          <span className="figures text-muted">{number}</span> {text(`watch.own.kind.${nameOf(said)}`)}
        </span>
        <span className="figures ms-auto">{valueOf(said, money)}</span>
      </p>
      {said.kind === "comment" && <p className="wrap-anywhere whitespace-pre-line">{said.text}</p>}
      <p className="figures text-muted">{time(toSeconds(at))}</p>
      {!told && <p className="text-muted">{text("watch.own.waiting")}</p>}
    </li>
  );
}

type Said = Content<ChainedKind>;

function nameOf(said: Said) {
  if (said.kind === "withdrawal") return STEPS[said.state];
  if (said.kind === "comment") return COMMENTS[said.state];
  return said.kind === "limit" && said.limit === "exclude_until" ? "break" : said.kind;
}

/** The amount in what a leaf says, or the end of an account's number. */
function valueOf(said: Said, money: (amount: number) => string): string {
  if (said.kind === "bank") return `**** ${said.account.slice(-LAST_DIGITS)}`;
  if (said.kind === "spin") return said.prize_kind === "points" ? money(said.amount) : "";
  return "amount" in said ? money(said.amount) : "";
}
