import { OperatorText } from "#client/components/OperatorText.tsx";
import { Lock } from "lucide-react";
import { ButtonLink } from "#client/components/Button.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import type { Listing } from "./use-listing.ts";
import { useList } from "#client/text/use-list.ts";
import { useText } from "#client/text/use-text.ts";

/** The private part: active members see it; others see how to become one. */
export function PrivatePart({ listing }: { listing: Listing }) {
  const text = useText();
  const list = useList();
  const { private: details } = listing;
  const hidden = text("listing.afterActivation");
  return (
    <Card>
      <h2 className="mb-3 flex items-center gap-2 font-semibold">
        {!details && <Lock size={16} aria-hidden />}
        {text("listing.contactTitle")}
      </h2>
      <Facts
        facts={[
          [
            text("listing.fullAddress"),
            details ? <OperatorText text={details.address} lang={details.langs?.address} /> : hidden,
          ],
          [text("listing.contact"), details ? details.contact : hidden],
          [
            text("listing.service"),
            details ? <OperatorText text={list(details.service)} lang={details.langs?.service} /> : hidden,
          ],
        ]}
      />
      {!details && (
        <div className="mt-4 flex flex-col gap-2">
          <p className="text-sm text-muted">{text("listing.activateHint")}</p>
          <ButtonLink look="quiet" to="/Plans">
            {text("plan.title")}
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}
