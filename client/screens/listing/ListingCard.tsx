import { OperatorText } from "#client/components/OperatorText.tsx";
import { MapPin, MessageCircle } from "lucide-react";
import { Link } from "react-router";
import { Amount } from "#client/components/Amount.tsx";
import { Hearts } from "#client/components/Hearts.tsx";
import { Picture } from "#client/components/Picture.tsx";
import { SaveButton } from "#client/components/SaveButton.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import type { ListingCard as Listing } from "#shared/contract/listing.ts";

/** One listing in the catalogue: picture, name, hearts, comments, place and price. */
export function ListingCard({ listing, isFirst = false }: { listing: Listing; isFirst?: boolean }) {
  const text = useText();
  const { id, name, langs, img, img_shape, address, hearts, comment_total, city_name, price } = listing;
  return (
    <div className="relative">
      <Link
        to={`/nHomeDetail?id=${id}`}
        className="flex overflow-hidden rounded-lg border border-line bg-card shadow-card hover:border-brand-text"
      >
        <span className="w-28 shrink-0">
          <Picture src={img} shape={img_shape} alt="" sizes="112px" isFirst={isFirst} className="h-full min-h-37" />
        </span>
        <span className="flex min-w-0 flex-1 flex-col gap-1.5 p-3">
          <span className="pe-8 text-base font-semibold break-words">
            <OperatorText text={name} lang={langs?.name} />
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <Hearts value={hearts} />
            <span className="figures inline-flex items-center gap-1">
              <MessageCircle size={14} aria-hidden />
              <span className="sr-only">{text("listing.comments")}</span>
              {comment_total}
            </span>
          </span>
          <Place address={address} lang={langs?.address} />
          <span className="mt-auto flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="rounded-full bg-sunken px-2.5 py-0.5 text-xs">
              <OperatorText text={city_name} lang={langs?.city_name} />
            </span>
            <Amount value={price} className="ms-auto min-w-0 font-semibold break-words text-brand-text" hasUnit />
          </span>
        </span>
      </Link>
      <SaveButton kind="listing" id={id} name={name} look="card" />
    </div>
  );
}

function Place({ address, lang }: { address: string; lang: string | undefined }) {
  const text = useText();
  return (
    <span className="flex items-start gap-1 text-sm text-muted">
      <MapPin size={14} aria-hidden className="mt-0.75 shrink-0" />
      <span className="min-w-0 break-words">
        <span className="sr-only">{text("listing.address")} </span>
        <OperatorText text={address} lang={lang} />
      </span>
    </span>
  );
}

/** Placeholders for cards that are still loading. */
export function CardSkeletons() {
  return (
    <div aria-busy className="flex flex-col gap-3">
      {Array.from({ length: 4 }, (_, row) => (
        <Skeleton key={row} className="h-37" />
      ))}
    </div>
  );
}
