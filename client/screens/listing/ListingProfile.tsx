import { Headset } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useListing } from "./use-listing.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { DetailSkeleton } from "./DetailSkeleton.tsx";
import { ListingFacts } from "./ListingFacts.tsx";
import { isGone, NotShown } from "./NotShown.tsx";
import { PictureSlides } from "./PictureSlides.tsx";
import { PrivatePart } from "./PrivatePart.tsx";

/** One listing of a city: pictures, facts, and a contact button. */
export default function ListingProfile() {
  const text = useText();
  const [params] = useSearchParams();
  const id = params.get("id") ?? "";
  const { listing, error, refetch } = useListing(id);
  return (
    <Screen title={listing?.xuanfei_name ?? (params.get("name") || text("listing.one"))}>
      {listing && !isGone(error) ? (
        <div key={id} className="flex flex-col gap-4 pb-20">
          <PictureSlides title={listing.xuanfei_name} images={listing.img_url} shapes={listing.img_shapes} />
          <ListingFacts listing={listing} />
          <PrivatePart listing={listing} />
          <Contact />
        </div>
      ) : error ? (
        <NotShown error={error} onRetry={() => void refetch()} />
      ) : (
        <DetailSkeleton />
      )}
    </Screen>
  );
}

/** Bookings go through the operator. The dialog says so and links to support while it is open. */
function Contact() {
  const text = useText();
  const { data: site } = useSite();
  const [isOpen, open] = useState(false);
  return (
    <div className="fixed inset-x-0 bottom-0 z-20">
      <div className="in-frame border-t border-line bg-card/95 px-4 pt-3 pb-[calc(env(safe-area-inset-bottom)+12px)] backdrop-blur">
        <Button onClick={() => open(true)} className="w-full">
          <Headset size={20} aria-hidden />
          {text("listing.contactButton")}
        </Button>
      </div>
      <Sheet title={text("listing.contactButton")} kind="pop" isOpen={isOpen} onClose={() => open(false)}>
        <p className="mb-4">{text("listing.contactText")}</p>
        {site?.iskefu === 1 && (
          <ButtonLink to="/ServiceOnline" className="w-full">
            {text("service.title")}
          </ButtonLink>
        )}
      </Sheet>
    </div>
  );
}
