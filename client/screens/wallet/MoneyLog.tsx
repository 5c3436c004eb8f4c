import { Link } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { usePages } from "#client/api/pages.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { Facts } from "#client/components/Card.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { NothingThen, RecordFilter, usePeriod } from "#client/components/RecordFilter.tsx";
import { ReceiptScreen, useReceiptId } from "#client/components/Receipt.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { useText } from "#client/text/use-text.ts";
import { moneyLog } from "#shared/contract/wallet.ts";
import { EntryRow } from "./EntryRow.tsx";

/** Every change of the balance, newest first. */
export default function MoneyLog() {
  const text = useText();
  const version = useReceiptId();
  const { input, isAll } = usePeriod();
  const pages = usePages(moneyLog, (log) => log, { input, enabled: version === null });
  if (version !== null) return <Receipt version={version} />;
  return (
    <Screen title={text("moneylog.title")} hasAmounts>
      <RecordFilter />
      <EndlessList
        pages={pages}
        label={text("moneylog.list")}
        keyOf={({ id }) => id}
        row={(entry) => (
          <Link to={`/Moneylog?id=${entry.version}`} className="block rounded-md">
            <EntryRow entry={entry} />
          </Link>
        )}
        empty={
          !isAll ? (
            <NothingThen />
          ) : (
            <EmptyNote drawing="entries" title={text("moneylog.empty")}>
              <p className="text-muted">{text("moneylog.emptyHint")}</p>
              <ButtonLink to="/Recharge">{text("mine.recharge")}</ButtonLink>
            </EmptyNote>
          )
        }
      />
    </Screen>
  );
}

/** One change, by its place in the wallet's sequence. A stake leads on to its bet. */
function Receipt({ version }: { version: string }) {
  const text = useText();
  const query = useEndpoint(moneyLog, { version });
  return (
    <ReceiptScreen query={query}>
      {({ list: [entry] }) =>
        entry && (
          <>
            <EntryRow entry={entry} />
            <Facts facts={[[text("receipt.number"), `#${entry.version}`]]} />
            {entry.id.startsWith("bet_") && (
              <ButtonLink look="bare" to={`/GameRecord?id=${entry.id}`} className="print:hidden">
                {text("receipt.bet")}
              </ButtonLink>
            )}
          </>
        )
      }
    </ReceiptScreen>
  );
}
