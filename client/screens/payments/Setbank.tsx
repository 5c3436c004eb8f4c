import { Landmark } from "lucide-react";
import { useEndpoint } from "#client/api/queries.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useHasPasskey } from "#client/hooks/use-passkey.ts";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { getUserBankInfo } from "#shared/contract/withdrawals.ts";

/** The account for withdrawals: the bound one, masked, or a link to bind one. */
export default function Setbank() {
  const text = useText();
  const { data: bank, isError, error, refetch } = useEndpoint(getUserBankInfo);
  const { data: user } = useUser();
  const hasPasskey = useHasPasskey();
  if (isError && !bank)
    return (
      <Screen title={text("bank.title")}>
        <FailedNote error={error} onRetry={() => void refetch()} />
      </Screen>
    );
  return (
    <Screen title={text("bank.title")}>
      {!bank || !user || hasPasskey === undefined ? (
        <Skeleton className="h-36" />
      ) : bank.info ? (
        <BoundAccount {...bank.info} holder={user.name} />
      ) : (
        <NoAccount isReady={user.paypassword === 1 || hasPasskey} />
      )}
    </Screen>
  );
}

function BoundAccount({ bankinfo, bankid, holder }: { bankinfo: string; bankid: string; holder: string }) {
  const text = useText();
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex items-center gap-3">
        <Landmark size={24} aria-hidden className="shrink-0 text-brand-text" />
        <p className="min-w-0 text-lg font-semibold break-words">{bankinfo}</p>
      </div>
      <Facts
        facts={[
          [
            text("bank.number"),
            <span key="number" className="figures">
              {bankid}
            </span>,
          ],
          [text("bank.holder"), holder],
        ]}
      />
      <p className="text-sm text-muted">{text("bank.fixed")}</p>
    </Card>
  );
}

function NoAccount({ isReady }: { isReady: boolean }) {
  const text = useText();
  return (
    <EmptyNote title={text("bank.none")}>
      <p className="text-muted">{text("bank.noneHint")}</p>
      {!isReady && <p className="text-muted">{text("bank.needPasscode")}</p>}
      {isReady ? (
        <ButtonLink to="/BindCard">{text("bank.add")}</ButtonLink>
      ) : (
        <ButtonLink to="/SetPayPassword">{text("bank.setPasscode")}</ButtonLink>
      )}
    </EmptyNote>
  );
}
