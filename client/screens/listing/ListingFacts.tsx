import type { ReactNode } from "react";
import { Amount } from "#client/components/Amount.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { Hearts } from "#client/components/Hearts.tsx";
import type { Listing } from "./use-listing.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { tagOf } from "#shared/locales.ts";

type Fact = readonly [name: string, value: ReactNode];

/** The public facts of a listing: key figures large, the rest in a list. */
export function ListingFacts({ listing }: { listing: Listing }) {
  const text = useText();
  const centimetres = useCentimetres();
  const { id, xuanfei_name, vo_title, hearts, birthday, height, one, address, city, price, demo } = listing;
  const figures: Fact[] = [
    // An age, whatever the wire calls it.
    [text("listing.age"), birthday],
    [text("listing.height"), centimetres(height)],
  ];
  const facts: Fact[] = [
    [text("listing.id"), id],
    ...(one === null ? [] : [[text("listing.chest"), centimetres(one)] satisfies Fact]),
    [text("listing.city"), city.name],
    [text("listing.address"), address],
    [text("listing.price"), <Amount key="price" value={price} className="font-semibold text-brand-text" hasUnit />],
  ];
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-lg font-semibold break-words">{xuanfei_name}</h2>
        <Hearts value={hearts} size={18} />
      </div>
      {vo_title && <p className="mt-1 break-words text-muted">{vo_title}</p>}
      <Figures figures={figures} />
      <Facts facts={facts} />
      {demo === 1 && <p className="mt-3 text-xs text-muted">{text("listing.demo")}</p>}
    </Card>
  );
}

function Figures({ figures }: { figures: readonly Fact[] }) {
  return (
    <dl className="my-4 grid grid-cols-[1fr_1fr_1.25fr] gap-2 text-center">
      {figures.map(([name, value]) => (
        <div key={name} className="flex min-w-0 flex-col-reverse justify-end rounded-md bg-sunken px-1 py-2.5">
          <dt className="text-xs break-words hyphens-auto text-muted">{name}</dt>
          <dd className="figures text-base font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function useCentimetres(): (length: number) => string {
  const format = new Intl.NumberFormat(tagOf(useLanguage()), { style: "unit", unit: "centimeter" });
  return (length) => format.format(length);
}
