import { Screen } from "#client/components/Screen.tsx";
import { useText } from "#client/text/use-text.ts";
import { Membership } from "./Membership.tsx";
import { Offers } from "./Offers.tsx";

/** Whether membership runs, what it costs, and the way to buy it: asked for once more before anything is taken. */
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
