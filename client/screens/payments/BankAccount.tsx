import { Landmark } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useHasPasskey } from "#client/hooks/use-passkey.ts";
import { useUser } from "#client/hooks/use-site.ts";
import { showToast } from "#client/api/bus.ts";
import { Refusal } from "#client/components/Refusal.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { getBankList, getUserBankInfo } from "#shared/contract/withdrawals.ts";
import { AccountCheck, AccountFields } from "./AccountFields.tsx";
import { useAccountFields, useFocusOnWrong, type AccountFieldsState } from "./use-account-fields.ts";

type Banks = ReplyOf<typeof getBankList>;

/** The account for withdrawals: the bound one, masked, or a form to bind one. */
export function BankAccount({ onDone }: { onDone: () => void }) {
  const { data: bank, isError, error, refetch } = useEndpoint(getUserBankInfo);
  const { data: user } = useUser();
  const hasPasskey = useHasPasskey();
  const { data: banks } = useEndpoint(getBankList, {}, { staleTime: Infinity });
  if (isError && !bank) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (!bank || !user || !banks || hasPasskey === undefined) return <Skeleton className="h-36" />;
  if (bank.info) return <BoundAccount {...bank.info} holder={user.name} />;
  if (user.paypassword !== 1 && !hasPasskey) return <NoPasscode />;
  return <BindForm banks={banks} realName={user.name} onDone={onDone} />;
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

/** Binds the account once it has been checked: neither it nor the name can be changed later. */
function BindForm({ banks, realName, onDone }: { banks: Banks; realName: string; onDone: () => void }) {
  const text = useText();
  const account = useAccountFields(banks, realName);
  const { form, focusWrong, wrongField } = useFocusOnWrong();
  const { isAsking, ask, refusal, bind } = useBinding(account, onDone);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (account.check()) ask(true);
    else focusWrong();
  };
  const close = () => account.isBusy || ask(false);
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <AccountFields account={account} banks={banks} realName={realName} />
      {refusal && <Refusal>{refusal}</Refusal>}
      <Button type="submit">{text("bank.save")}</Button>
      <Sheet title={text("bank.save")} isOpen={isAsking} onClose={close} focusAfter={wrongField}>
        <div className="flex flex-col gap-4">
          <AccountCheck input={account.input} />
          <Button isBusy={account.isBusy} onClick={() => void bind()}>
            {text("action.confirm")}
          </Button>
        </div>
      </Sheet>
    </form>
  );
}

function useBinding(account: AccountFieldsState, onDone: () => void) {
  const text = useText();
  const failure = useFailureText();
  const queryClient = useQueryClient();
  const [isAsking, ask] = useState(false);
  const [refusal, say] = useState<string>();
  const bind = async () => {
    say(undefined);
    try {
      await account.bind();
      for (const { path } of [getUserInfo, getUserBankInfo]) void queryClient.invalidateQueries({ queryKey: [path] });
      showToast(text("bank.saved"), "good");
      ask(false);
      onDone();
    } catch (no) {
      if (!account.refuse(no)) say(failure(no));
      ask(false);
    }
  };
  return { isAsking, ask, refusal, bind };
}

function NoPasscode() {
  const text = useText();
  return (
    <EmptyNote drawing="bank" title={text("bank.none")}>
      <p className="text-muted">{text("bank.noneHint")}</p>
      <p className="text-muted">{text("bank.needPasscode")}</p>
      <ButtonLink to="/SetPayPassword">{text("bank.setPasscode")}</ButtonLink>
    </EmptyNote>
  );
}
