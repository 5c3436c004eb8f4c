import { useQueryClient } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { showToast } from "#client/api/bus.ts";
import { usePages } from "#client/api/pages.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { SaveButton } from "#client/components/SaveButton.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useSetting } from "#client/hooks/use-setting.ts";
import { useWanted } from "#client/hooks/use-wanted.ts";
import { CardSkeletons, ListingCard } from "#client/screens/listing/ListingCard.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { forgetListings, ownListings } from "#shared/contract/listing.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { forgetVideos, keepHistory, ownVideos, watching, watchPlace } from "#shared/contract/video.ts";
import { HallTabs, panelId, tabId } from "./HallTabs.tsx";
import { TileSkeletons } from "./TileSkeletons.tsx";
import { VideoTile } from "./VideoTile.tsx";

const TABS = ["videos", "watched", "listings", "opened"] as const;
type Tab = (typeof TABS)[number];

/** So many pictures load at once. */
const FIRST = 4;

/** What the member saved, and what they watched and opened last. The URL holds the current tab. */
export default function Saved() {
  const text = useText();
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((one) => one === params.get("tab")) ?? "videos";
  const tabs = TABS.map((key) => ({ key, name: text(`saved.tabs.${key}`) }));
  return (
    <Screen title={text("saved.title")}>
      <div className="-mx-4 -mt-4 mb-4 border-b border-line">
        <HallTabs
          tabs={tabs}
          place={TABS.indexOf(tab)}
          label={text("saved.title")}
          onChoose={(key) => setParams({ tab: key }, { replace: true })}
        />
      </div>
      <div role="tabpanel" id={panelId(tab)} aria-labelledby={tabId(tab)}>
        {tab === "videos" || tab === "watched" ? (
          <Videos key={tab} tab={tab} list={tab === "videos" ? "saved" : "watched"} />
        ) : (
          <Listings key={tab} tab={tab} list={tab === "listings" ? "saved" : "opened"} />
        )}
      </div>
    </Screen>
  );
}

/** What shows the videos that were watched, and where each was left. */
const WATCHED = [ownVideos, watching, watchPlace];

function Videos({ tab, list }: { tab: Tab; list: "saved" | "watched" }) {
  const text = useText();
  const pages = usePages(ownVideos, (page) => page, { input: { list }, limit: 20, isAhead: true });
  return (
    <>
      {list === "watched" && <KeepHistory />}
      {list === "watched" && pages.rows.length > 0 && <Forget endpoint={forgetVideos} lists={WATCHED} />}
      <EndlessList
        pages={pages}
        keyOf={({ id }) => id}
        row={({ id, card }, place) =>
          card ? <VideoTile video={card} isFirst={place < FIRST} /> : <Gone kind="video" id={id} />
        }
        label={text(`saved.tabs.${tab}`)}
        isGrid
        isWide
        skeleton={<TileSkeletons />}
        empty={<Empty tab={tab} to="/Video" label={text("player.hall")} />}
      />
    </>
  );
}

function Listings({ tab, list }: { tab: Tab; list: "saved" | "opened" }) {
  const text = useText();
  const pages = usePages(ownListings, (page) => page, { input: { list }, limit: 20, isAhead: true });
  return (
    <>
      {list === "opened" && pages.rows.length > 0 && <Forget endpoint={forgetListings} lists={[ownListings]} />}
      <EndlessList
        pages={pages}
        keyOf={({ id }) => id}
        row={({ id, card }, place) =>
          card ? <ListingCard listing={card} isFirst={place < FIRST} /> : <Gone kind="listing" id={id} />
        }
        label={text(`saved.tabs.${tab}`)}
        skeleton={<CardSkeletons />}
        empty={<Empty tab={tab} to="/nHomeList" label={text("listing.title")} />}
      />
    </>
  );
}

const DRAWING = { videos: "savedVideos", watched: "watched", listings: "savedListings", opened: "opened" } as const;

function Empty({ tab, to, label }: { tab: Tab; to: string; label: string }) {
  const text = useText();
  return (
    <EmptyNote drawing={DRAWING[tab]} title={text(`saved.none.${tab}`)}>
      <ButtonLink look="quiet" to={to}>
        {label}
      </ButtonLink>
    </EmptyNote>
  );
}

/** Something that is no longer shown; the bookmark drops it. */
function Gone({ kind, id }: { kind: "video" | "listing"; id: string }): ReactNode {
  const text = useText();
  const title = text(kind === "video" ? "player.gone" : "listing.gone");
  return (
    <div className="relative flex h-full min-h-24 items-center rounded-lg border border-dashed border-edge p-3 pe-12 text-sm text-muted">
      {title}
      <SaveButton kind={kind} id={id} name={title} look="card" />
    </div>
  );
}

/** The switch of the history of watched videos. Off clears it at once. */
function KeepHistory() {
  const text = useText();
  const failure = useFailureText();
  const client = useQueryClient();
  const { data: user } = useEndpoint(getUserInfo, {}, { staleTime: 0 });
  const queryKey = [getUserInfo.path];
  const renew = () => client.invalidateQueries({ queryKey });
  const onDone = (_: unknown, { on }: { on?: string | undefined }) => {
    client.setQueriesData<UserInfo>({ queryKey }, (known) => known && { ...known, keeps_history: on === "1" ? 1 : 0 });
    // An answer that is on its way may be older.
    void renew();
    for (const { path } of WATCHED) void client.resetQueries({ queryKey: [path] });
  };
  const { mutateAsync, error } = useSetting(keepHistory, onDone, renew);
  const { wanted, want } = useWanted((isOn: boolean) => mutateAsync({ on: isOn ? "1" : "0" }));
  const isOn = wanted ?? user?.keeps_history === 1;
  if (!user) return <Skeleton className="mb-3 h-20" />;
  return (
    <div className="mb-3">
      <label className="flex min-h-13 items-center gap-3 rounded-lg border border-line bg-card px-4 py-2 text-base">
        <span className="min-w-0 flex-1 wrap-anywhere">{text("saved.keep")}</span>
        <input
          type="checkbox"
          checked={isOn}
          onChange={() => want(!isOn)}
          className="size-5 shrink-0 accent-brand-deep"
        />
      </label>
      <p className="mt-2 text-sm text-muted">{text(isOn ? "saved.keepOn" : "saved.keepOff")}</p>
      {error && (
        <p role="alert" className="mt-1 text-sm text-bad">
          {failure(error)}
        </p>
      )}
    </div>
  );
}

interface ForgetProps {
  endpoint: typeof forgetVideos | typeof forgetListings;
  /** What is asked for again afterwards. */
  lists: readonly { path: string }[];
}

/** Clears a history at once. */
function Forget({ endpoint, lists }: ForgetProps) {
  const text = useText();
  const failure = useFailureText();
  const client = useQueryClient();
  const onDone = () => {
    for (const { path } of lists) void client.resetQueries({ queryKey: [path] });
    showToast(text("saved.cleared"), "good");
  };
  const renew = () => Promise.all(lists.map(({ path }) => client.invalidateQueries({ queryKey: [path] })));
  const { mutate, isPending, error } = useSetting(endpoint, onDone, renew);
  useEffect(() => {
    if (error) showToast(failure(error), "bad");
  }, [error, failure]);
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <p className="text-sm text-muted">{text("saved.private")}</p>
      <Button look="quiet" isBusy={isPending} onClick={() => mutate({})}>
        {text("saved.clear")}
      </Button>
    </div>
  );
}
