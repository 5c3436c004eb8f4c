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
import { withdrawList } from "#shared/contract/withdrawals.ts";
import { WithdrawalCard } from "./WithdrawalCard.tsx";

/** The member's withdrawals and their status, updated live. */
export default function WithdrawRecord() {
  const text = useText();
  const id = useReceiptId();
  const { input, isAll } = usePeriod();
  const pages = usePages(withdrawList, (rows) => rows, { input, enabled: id === null });
  if (id !== null) return <Receipt id={id} />;
  return (
    <Screen title={text("withdrawRecord.title")} hasAmounts>
      <RecordFilter />
      <EndlessList
        pages={pages}
        label={text("withdrawRecord.list")}
        keyOf={({ id }) => id}
        row={(withdrawal) => <WithdrawalCard withdrawal={withdrawal} />}
        skeleton={<SkeletonRows className="h-32" />}
        empty={
          !isAll ? (
            <NothingThen />
          ) : (
            <EmptyNote drawing="bank" title={text("withdrawRecord.empty")}>
              <p className="text-muted">{text("withdrawRecord.emptyHint")}</p>
              <ButtonLink to="/Withdraw">{text("mine.withdraw")}</ButtonLink>
            </EmptyNote>
          )
        }
      />
    </Screen>
  );
}

function Receipt({ id }: { id: string }) {
  const query = useEndpoint(withdrawList, { id });
  return <ReceiptScreen query={query}>{([one]) => one && <WithdrawalCard withdrawal={one} isReceipt />}</ReceiptScreen>;
}
