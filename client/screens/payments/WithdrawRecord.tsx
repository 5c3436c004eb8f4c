import { usePages } from "#client/api/pages.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { withdrawList } from "#shared/contract/withdrawals.ts";
import { WithdrawalCard } from "./WithdrawalCard.tsx";

/** The member's withdrawals and their status, updated live. */
export default function WithdrawRecord() {
  const text = useText();
  const pages = usePages(withdrawList, (rows) => rows);
  return (
    <Screen title={text("withdrawRecord.title")} hasAmounts>
      <EndlessList
        pages={pages}
        label={text("withdrawRecord.list")}
        keyOf={({ id }) => id}
        row={(withdrawal) => <WithdrawalCard withdrawal={withdrawal} />}
        skeleton={<SkeletonRows className="h-32" />}
        empty={
          <EmptyNote title={text("withdrawRecord.empty")}>
            <p className="text-muted">{text("withdrawRecord.emptyHint")}</p>
            <ButtonLink to="/Withdraw">{text("mine.withdraw")}</ButtonLink>
          </EmptyNote>
        }
      />
    </Screen>
  );
}
