import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useBack } from "#client/app/use-go.ts";
import { useIdentity } from "./use-identity.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { editPayPassword } from "#shared/contract/member.ts";
import { PasscodeSteps } from "./PasscodeSteps.tsx";
import { UserScreen } from "./UserScreen.tsx";

/** Changes the payment passcode, if the operator allows it. */
export default function EditPayPassword() {
  const text = useText();
  return (
    <UserScreen title={text("passcode.editTitle")} rows={5}>
      {({ paypassword }) => (paypassword === 1 ? <NextPasscode /> : <NoPasscode />)}
    </UserScreen>
  );
}

function NoPasscode() {
  const text = useText();
  return (
    <EmptyNote drawing="passcodeless" title={text("passcode.none")}>
      <ButtonLink look="quiet" to="/SetPayPassword" replace>
        {text("passcode.toSet")}
      </ButtonLink>
    </EmptyNote>
  );
}

/** The operator alone may change a passcode: whom to ask. */
function Closed({ hasService }: { hasService: boolean }) {
  const text = useText();
  return (
    <EmptyNote drawing="passcode" title={text("passcode.closed")}>
      {hasService ? (
        <ButtonLink to="/ServiceOnline">{text("mine.service")}</ButtonLink>
      ) : (
        <ButtonLink look="quiet" to="/Mine" replace>
          {text("mine.title")}
        </ButtonLink>
      )}
    </EmptyNote>
  );
}

function NextPasscode() {
  const { data: site } = useSite();
  const back = useBack();
  const { mutateAsync, isPending } = useIdentity({
    endpoint: editPayPassword,
    success: "passcode.changed",
    changes: () => ({}),
    onDone: back,
  });
  if (!site) return <Skeleton className="h-52" />;
  if (site.edit_paypwd !== 1) return <Closed hasService={site.iskefu === 1} />;
  return (
    <PasscodeSteps
      steps={["old", "first", "repeat"]}
      send={({ old, first }) => mutateAsync({ oldpaypwd: old, paypassword: first })}
      isBusy={isPending}
    />
  );
}
