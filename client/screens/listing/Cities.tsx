import { ChevronRight, MapPin } from "lucide-react";
import { Link } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { cityList } from "#shared/contract/listing.ts";

/** Every city with someone to book. */
export default function Cities() {
  const text = useText();
  return (
    <Screen title={text("city.title")} isRoot>
      <CityRows />
    </Screen>
  );
}

function CityRows() {
  const text = useText();
  const cities = useEndpoint(cityList);
  if (cities.isPending) return <SkeletonRows rows={6} className="h-16" />;
  if (!cities.data) return <FailedNote error={cities.error} onRetry={() => void cities.refetch()} />;
  if (cities.data.length === 0) return <EmptyNote title={text("city.none")} />;
  return (
    <ul className="flex flex-col gap-3">
      {cities.data.map(({ id, name }) => (
        <li key={id}>
          <Link
            to={`/List?${new URLSearchParams({ id, name })}`}
            className="flex min-h-16 items-center gap-3 rounded-lg border border-line bg-card px-4 shadow-card hover:border-brand-text"
          >
            <span className="grid size-11 shrink-0 place-items-center rounded-full bg-brand-soft text-brand-text">
              <MapPin size={20} aria-hidden />
            </span>
            <span className="min-w-0 flex-1 font-semibold break-words">{name}</span>
            <ChevronRight size={20} aria-hidden className="shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
