import { Navigate } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useBack } from "#client/app/use-go.ts";
import { useHasPasskey } from "#client/hooks/use-passkey.ts";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { getBankList } from "#shared/contract/withdrawals.ts";
import { BindForm } from "./BindForm.tsx";

/** Binds the member's bank account. A member without a passcode and a passkey must set a passcode first. */
export default function BindCard() {
  const text = useText();
  const back = useBack();
  const user = useUser();
  const hasPasskey = useHasPasskey();
  const banks = useEndpoint(getBankList, {}, { staleTime: Infinity });
  const failed = [user, banks].find(({ data, isError }) => isError && !data);
  if (user.data?.is_bank === 1) return <Navigate to="/Setbank" replace />;
  if (user.data?.paypassword === 0 && hasPasskey === false) return <Navigate to="/SetPayPassword" replace />;
  return (
    <Screen title={text("bank.add")}>
      {failed && <FailedNote error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && !(user.data && banks.data) && <SkeletonRows rows={4} />}
      {user.data && banks.data && <BindForm banks={banks.data} realName={user.data.name} onBound={back} />}
    </Screen>
  );
}
