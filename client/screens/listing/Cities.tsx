import { OperatorText } from "#client/components/OperatorText.tsx";
import { Link } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { FailedNote } from "#client/components/Notes.tsx";
import { Picture } from "#client/components/Picture.tsx";
import { PullToRefresh, useRefresh } from "#client/components/PullToRefresh.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { cityList } from "#shared/contract/listing.ts";
import { NoCity } from "./NoCity.tsx";

/** Every city with someone to book. */
export default function Cities() {
  const text = useText();
  return (
    <Screen title={text("city.title")} hasTabs>
      <CityRows />
    </Screen>
  );
}

function CityRows() {
  const cities = useEndpoint(cityList);
  const refresh = useRefresh(cities.refetch);
  if (cities.isPending) return <SkeletonRows rows={6} className="h-16" />;
  if (!cities.data) return <FailedNote error={cities.error} onRetry={() => void cities.refetch()} />;
  if (cities.data.length === 0) return <NoCity />;
  return (
    <PullToRefresh onRefresh={refresh}>
      <ul className="grid grid-cols-2 gap-3">
        {cities.data.map((city, place) => (
          <li key={city.id}>
            <CityCard city={city} isFirst={place < 2} />
          </li>
        ))}
      </ul>
    </PullToRefresh>
  );
}

type City = ReplyOf<typeof cityList>[number];

function CityCard({ city: { id, name, langs, count, cover, cover_shape }, isFirst }: { city: City; isFirst: boolean }) {
  const text = useText();
  return (
    <Link
      to={`/List?${new URLSearchParams({ id, name })}`}
      className="flex h-full flex-col overflow-hidden rounded-lg border border-line bg-card shadow-card hover:border-brand-text"
    >
      <Picture
        src={cover}
        shape={cover_shape}
        alt=""
        sizes="(width > 1000px) 310px, 46vw"
        isFirst={isFirst}
        className="aspect-4/3!"
      />
      <span className="flex flex-1 flex-col gap-0.5 p-3">
        <span className="font-semibold break-words">
          <OperatorText text={name} lang={langs?.name} />
        </span>
        <span className="text-sm text-muted">{text("city.profiles", { count })}</span>
      </span>
    </Link>
  );
}
