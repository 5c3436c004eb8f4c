import { useState } from "react";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { useBack } from "#client/app/use-go.ts";
import { useIdentity } from "./use-identity.ts";
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

function AlreadySet() {
  const text = useText();
  return (
    <EmptyNote title={text("passcode.already")}>
      <ButtonLink look="quiet" to="/EditPayPassword" replace>
        {text("passcode.editTitle")}
      </ButtonLink>
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
