import { OperatorText } from "#client/components/OperatorText.tsx";
import { Link, useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { usePages } from "#client/api/pages.ts";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { Picture } from "#client/components/Picture.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { cityList, profileList, type Profile } from "#shared/contract/listing.ts";

/** So many pictures load at once. */
const FIRST = 4;

/** The listings of one city, in two columns. */
export default function Profiles() {
  const text = useText();
  const [params] = useSearchParams();
  const cityId = params.get("id") ?? "";
  const cities = useEndpoint(cityList, {}, { staleTime: Infinity });
  // A shared URL may carry the name in another language.
  const name = cities.data?.find(({ id }) => id === cityId)?.name ?? params.get("name") ?? "";
  const pages = usePages(profileList, ({ list, count }) => ({ list, count }), { input: { id: cityId }, isAhead: true });
  return (
    <Screen title={name || text("city.title")}>
      <EndlessList
        pages={pages}
        keyOf={({ id }) => id}
        row={(profile, place) => <ProfileCard profile={profile} city={{ id: cityId, name }} isFirst={place < FIRST} />}
        label={name || text("city.title")}
        isGrid
        skeleton={<GridSkeleton />}
        empty={
          <EmptyNote drawing="listings" title={text("listing.none")}>
            <ButtonLink look="quiet" to="/Choose">
              {text("listing.allCities")}
            </ButtonLink>
          </EmptyNote>
        }
      />
    </Screen>
  );
}

interface CardProps {
  profile: Profile;
  city: { id: string; name: string };
  isFirst: boolean;
}

function ProfileCard({ profile, city, isFirst }: CardProps) {
  const { id, img_url, img_shape, xuanfei_name, vo_title, address, langs } = profile;
  return (
    <Link
      to={`/Profile?${new URLSearchParams({ id, name: city.name, adsid: city.id })}`}
      className="flex h-full flex-col overflow-hidden rounded-lg border border-line bg-card shadow-card hover:border-brand-text"
    >
      <Picture src={img_url} shape={img_shape} alt="" sizes="(width > 1000px) 310px, 46vw" isFirst={isFirst} />
      <span className="flex flex-1 flex-col gap-0.5 p-3">
        <span className="font-semibold break-words">
          <OperatorText text={xuanfei_name} lang={langs?.xuanfei_name} />
        </span>
        <span className="text-sm break-words">
          <OperatorText text={vo_title} lang={langs?.vo_title} />
        </span>
        <span className="mt-auto text-xs break-words text-muted">
          <OperatorText text={address} lang={langs?.address} />
        </span>
      </span>
    </Link>
  );
}

function GridSkeleton() {
  return (
    <div aria-busy className="grid grid-cols-2 gap-3">
      {Array.from({ length: 6 }, (_, place) => (
        <Skeleton key={place} className="aspect-2/3" />
      ))}
    </div>
  );
}
