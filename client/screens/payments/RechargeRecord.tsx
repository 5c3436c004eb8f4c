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
import { rechargeList } from "#shared/contract/payments.ts";
import { DepositCard } from "./DepositCard.tsx";

/** In the payment frame, the channel redirects to this page; the surrounding screen carries on by itself. */
const isFramed = () => window.parent !== window;

/** The member's top-ups and their status, updated live. */
export default function RechargeRecord() {
  const text = useText();
  const id = useReceiptId();
  if (isFramed()) return <p className="p-6 text-center text-sm text-muted">{text("state.loading")}</p>;
  if (id !== null) return <Receipt id={id} />;
  return (
    <Screen title={text("rechargeRecord.title")} hasAmounts>
      <RecordFilter />
      <Deposits />
    </Screen>
  );
}

function Receipt({ id }: { id: string }) {
  const query = useEndpoint(rechargeList, { id });
  return (
    <ReceiptScreen query={query}>{([deposit]) => deposit && <DepositCard deposit={deposit} isReceipt />}</ReceiptScreen>
  );
}

function Deposits() {
  const text = useText();
  const { input, isAll } = usePeriod();
  const pages = usePages(rechargeList, (rows) => rows, { input });
  return (
    <EndlessList
      pages={pages}
      label={text("rechargeRecord.list")}
      keyOf={({ id }) => id}
      row={(deposit) => <DepositCard deposit={deposit} />}
      skeleton={<SkeletonRows className="h-32" />}
      empty={
        !isAll ? (
          <NothingThen />
        ) : (
          <EmptyNote drawing="deposits" title={text("rechargeRecord.empty")}>
            <p className="text-muted">{text("rechargeRecord.emptyHint")}</p>
            <ButtonLink to="/Recharge">{text("mine.recharge")}</ButtonLink>
          </EmptyNote>
        )
      }
    />
  );
}
