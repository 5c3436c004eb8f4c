import { useState } from "react";
import { Button } from "#client/components/Button.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { UnitLine } from "#client/components/UnitLine.tsx";
import { useText } from "#client/text/use-text.ts";
import { Membership } from "#client/screens/wallet/Membership.tsx";
import { Offers } from "#client/screens/wallet/Offers.tsx";

interface Props {
  isOpen: boolean;
  /** The free seconds of the video. */
  seconds: number;
  onClose: () => void;
}

/** The offer at the end of a preview: the benefits of membership and the plans, without leaving the video. */
export function PreviewOffer({ isOpen, seconds, onClose }: Props) {
  const text = useText();
  const [areShown, showPlans] = useState(false);
  // Each opening starts with the benefits, not the plans.
  if (!isOpen && areShown) showPlans(false);
  const close = () => {
    showPlans(false);
    onClose();
  };
  return (
    <>
      <Sheet kind="pop" title={text("player.offerTitle")} isOpen={isOpen && !areShown} onClose={close}>
        <p className="pb-4">{text("player.offer", { seconds })}</p>
        <div className="flex flex-col gap-2">
          <Button onClick={() => showPlans(true)}>{text("player.plans")}</Button>
          <Button look="quiet" onClick={close}>
            {text("player.notNow")}
          </Button>
        </div>
      </Sheet>
      <Sheet title={text("plan.title")} isOpen={isOpen && areShown} onClose={close}>
        <div className="flex flex-col gap-4 pb-2">
          <UnitLine />
          <Membership />
          <Offers />
        </div>
      </Sheet>
    </>
  );
}
