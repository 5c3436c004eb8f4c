import { Screen } from "#client/components/Screen.tsx";
import { useText } from "#client/text/use-text.ts";
import { Membership } from "./Membership.tsx";
import { Offers } from "./Offers.tsx";

/** The membership status, and the plans with their prices. Each purchase asks for confirmation. */
export default function Plans() {
  const text = useText();
  return (
    <Screen title={text("plan.title")} hasAmounts>
      <div className="flex flex-col gap-4">
        <Membership />
        <p className="text-sm text-muted">{text("plan.intro")}</p>
        <Offers />
      </div>
    </Screen>
  );
}
