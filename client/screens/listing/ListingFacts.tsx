import { OperatorText } from "#client/components/OperatorText.tsx";
import type { ReactNode } from "react";
import { Card, Facts } from "#client/components/Card.tsx";
import { Hearts } from "#client/components/Hearts.tsx";
import type { Listing } from "./use-listing.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";

type Fact = readonly [name: string, value: ReactNode];

/** The public facts of a listing: key figures large, the rest in a list. */
export function ListingFacts({ listing }: { listing: Listing }) {
  const text = useText();
  const centimetres = useCentimetres();
  const { vo_title, hearts, birthday, height, one, address, langs, demo } = listing;
  const figures: Fact[] = [
    // An age, whatever the wire calls it.
    [text("listing.age"), birthday],
    [text("listing.height"), centimetres(height)],
  ];
  const facts: Fact[] = [
    ...(one === null ? [] : [[text("listing.chest"), centimetres(one)] satisfies Fact]),
    [text("listing.address"), <OperatorText text={address} lang={langs?.address} />],
  ];
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        {vo_title && (
          <p className="min-w-0 break-words">
            <OperatorText text={vo_title} lang={langs?.vo_title} />
          </p>
        )}
        <Hearts value={hearts} size={18} />
      </div>
      <Figures figures={figures} />
      <Facts facts={facts} />
      {demo === 1 && <p className="mt-3 text-xs text-muted">{text("listing.demo")}</p>}
    </Card>
  );
}

function Figures({ figures }: { figures: readonly Fact[] }) {
  return (
    <dl className="my-4 grid grid-cols-2 gap-2 text-center">
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
  const format = numberFormat(tagOf(useLanguage()), { style: "unit", unit: "centimeter" });
  return (length) => format.format(length);
}
