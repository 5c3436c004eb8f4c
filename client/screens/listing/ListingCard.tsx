import { MapPin, MessageCircle } from "lucide-react";
import { Link } from "react-router";
import { Amount } from "#client/components/Amount.tsx";
import { Hearts } from "#client/components/Hearts.tsx";
import { Picture } from "#client/components/Picture.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import type { ListingCard as Listing } from "#shared/contract/listing.ts";

/** One listing in the catalogue: picture, name, hearts, comments, place and price. */
export function ListingCard({ listing }: { listing: Listing }) {
  const text = useText();
  const { id, name, img, img_shape, address, hearts, comment_total, city_name, price } = listing;
  return (
    <Link
      to={`/nHomeDetail?id=${id}`}
      className="flex overflow-hidden rounded-lg border border-line bg-card shadow-card hover:border-brand-text"
    >
      <span className="w-28 shrink-0">
        <Picture src={img} shape={img_shape} alt="" sizes="112px" className="h-full min-h-37" />
      </span>
      <span className="flex min-w-0 flex-1 flex-col gap-1.5 p-3">
        <span className="text-base font-semibold break-words">{name}</span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <Hearts value={hearts} />
          <span className="figures inline-flex items-center gap-1">
            <MessageCircle size={14} aria-hidden />
            <span className="sr-only">{text("listing.comments")}</span>
            {comment_total}
          </span>
        </span>
        <span className="flex items-start gap-1 text-sm text-muted">
          <MapPin size={14} aria-hidden className="mt-0.75 shrink-0" />
          <span className="min-w-0 break-words">
            <span className="sr-only">{text("listing.address")} </span>
            {address}
          </span>
        </span>
        <span className="mt-auto flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="rounded-full bg-sunken px-2.5 py-0.5 text-xs">{city_name}</span>
          <Amount value={price} className="font-semibold text-brand-text" hasUnit />
        </span>
      </span>
    </Link>
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
