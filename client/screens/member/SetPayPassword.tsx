import { useState } from "react";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { useBack } from "#client/app/use-go.ts";
import { useIdentity } from "./use-identity.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { setPayPassword } from "#shared/contract/member.ts";
import { PasscodeSteps } from "./PasscodeSteps.tsx";
import { UserScreen } from "./UserScreen.tsx";

/** Sets the payment passcode, once. A member who has one gets a link to change it. */
export default function SetPayPassword() {
  const text = useText();
  return (
    <UserScreen title={text("passcode.title")} rows={5}>
      {({ paypassword }) => <Passcode isSet={paypassword === 1} />}
    </UserScreen>
  );
}

/** Uses the state on arrival: after setting a passcode the screen goes back, not on to the change. */
function Passcode({ isSet }: { isSet: boolean }) {
  const [wasSet] = useState(isSet);
  return wasSet ? <AlreadySet /> : <FirstPasscode />;
}

/** The way to change it is offered only while the operator allows it. */
function AlreadySet() {
  const text = useText();
  const { data: site } = useSite();
  return (
    <EmptyNote drawing="passcode" title={text("passcode.already")}>
      {site?.edit_paypwd === 1 ? (
        <ButtonLink look="quiet" to="/EditPayPassword" replace>
          {text("passcode.editTitle")}
        </ButtonLink>
      ) : (
        <>
          <p className="text-muted">{text("passcode.closed")}</p>
          {site?.iskefu === 1 && <ButtonLink to="/ServiceOnline">{text("mine.service")}</ButtonLink>}
        </>
      )}
    </EmptyNote>
  );
}

function FirstPasscode() {
  const back = useBack();
  const { mutateAsync, isPending } = useIdentity({
    endpoint: setPayPassword,
    success: "passcode.saved",
    changes: () => ({ paypassword: 1 }),
    onDone: back,
  });
  return (
    <PasscodeSteps
      steps={["first", "repeat"]}
      send={({ first }) => mutateAsync({ paypassword: first })}
      isBusy={isPending}
    />
  );
}
