import { usePages } from "#client/api/pages.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { useText } from "#client/text/use-text.ts";
import { moneyLog } from "#shared/contract/wallet.ts";
import { EntryRow } from "./EntryRow.tsx";

/** Every change of the balance, newest first. */
export default function MoneyLog() {
  const text = useText();
  const pages = usePages(moneyLog, ({ list }) => list);
  return (
    <Screen title={text("moneylog.title")} hasAmounts>
      <EndlessList
        pages={pages}
        label={text("moneylog.list")}
        keyOf={({ id }) => id}
        row={(entry) => <EntryRow entry={entry} />}
        empty={
          <EmptyNote title={text("moneylog.empty")}>
            <p className="text-muted">{text("moneylog.emptyHint")}</p>
            <ButtonLink to="/Recharge">{text("mine.recharge")}</ButtonLink>
          </EmptyNote>
        }
      />
    </Screen>
  );
}
