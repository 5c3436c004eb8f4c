import { useEndpoint } from "#client/api/queries.ts";
import { usePages } from "#client/api/pages.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { NothingThen, RecordFilter, usePeriod } from "#client/components/RecordFilter.tsx";
import { ReceiptScreen, useReceiptId } from "#client/components/Receipt.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { gameList } from "#shared/contract/lottery.ts";
import { OrderCard } from "./OrderCard.tsx";

/** The member's own bets, newest first. */
export default function GameRecord() {
  const text = useText();
  const id = useReceiptId();
  const { input, isAll } = usePeriod();
  const pages = usePages(gameList, (orders) => orders, { input, enabled: id === null });
  if (id !== null) return <Receipt id={id} />;
  return (
    <Screen title={text("order.title")} hasAmounts>
      <RecordFilter />
      <EndlessList
        pages={pages}
        keyOf={({ id }) => id}
        row={(order) => <OrderCard order={order} />}
        label={text("order.list")}
        skeleton={<SkeletonRows rows={4} className="h-80" />}
        empty={isAll ? <NoBets /> : <NothingThen />}
      />
    </Screen>
  );
}

function NoBets() {
  const text = useText();
  return (
    <EmptyNote drawing="bets" title={text("order.empty")}>
      <p className="text-muted">{text("order.emptyHint")}</p>
      <ButtonLink to="/Game">{text("order.toGames")}</ButtonLink>
    </EmptyNote>
  );
}

function Receipt({ id }: { id: string }) {
  const query = useEndpoint(gameList, { id });
  return <ReceiptScreen query={query}>{([order]) => order && <OrderCard order={order} isReceipt />}</ReceiptScreen>;
}
