import { OperatorText } from "#client/components/OperatorText.tsx";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { cityList } from "#shared/contract/listing.ts";
import { NoCity } from "./NoCity.tsx";

/** Picks a city: active members open it; others see how to become one. */
export function CitySheet({ onClose }: { onClose: () => void }) {
  const text = useText();
  const navigate = useNavigate();
  const { data: user } = useUser();
  const cities = useEndpoint(cityList);
  const [isRefused, refuse] = useState(false);
  const pick = (id: string, name: string) => {
    if (user?.is_see === 1) void navigate(`/List?${new URLSearchParams({ id, name })}`);
    else refuse(true);
  };
  return (
    <Sheet title={text("city.pick")} isOpen onClose={onClose}>
      {isRefused && <NotActive />}
      {cities.data?.length === 0 ? (
        <NoCity />
      ) : cities.data ? (
        <ul className="grid grid-cols-2 gap-2">
          {cities.data.map(({ id, name, langs }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => pick(id, name)}
                className="min-h-12 w-full rounded-md border border-edge bg-card px-3 font-semibold break-words hover:border-brand-text"
              >
                <OperatorText text={name} lang={langs?.name} />
              </button>
            </li>
          ))}
        </ul>
      ) : cities.isError ? (
        <FailedNote error={cities.error} onRetry={() => void cities.refetch()} />
      ) : (
        <SkeletonRows rows={3} className="h-12" />
      )}
    </Sheet>
  );
}

function NotActive() {
  const text = useText();
  return (
    <div role="alert" className="mb-4 flex flex-col gap-3 rounded-md bg-brand-soft p-4">
      <p>{text("city.activate")}</p>
      <ButtonLink look="quiet" to="/Plans">
        {text("plan.title")}
      </ButtonLink>
    </div>
  );
}
