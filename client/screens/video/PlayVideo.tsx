import { OperatorText } from "#client/components/OperatorText.tsx";
import { MediaProvider } from "media-chrome/react/media-store";
import { useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { useVideo } from "./use-video.ts";
import { fetchAhead } from "#client/playback/open-stream.ts";
import { isGone } from "#client/screens/listing/NotShown.tsx";
import { videoMore } from "#shared/contract/video.ts";
import { SECOND_MS } from "#shared/time.ts";
import { Chapters } from "./Chapters.tsx";
import { MoreVideos } from "./MoreVideos.tsx";
import { Player } from "./Player.tsx";
import { VideoFacts } from "./VideoFacts.tsx";

fetchAhead();

/** The video screen: player, details and further videos. The player persists from one video to the next. */
export default function PlayVideo() {
  const text = useText();
  const [params] = useSearchParams();
  const id = params.get("id") ?? "";
  const { video, placeMs = 0, error, refetch } = useVideo(id);
  const more = useEndpoint(videoMore, { id });
  const isThere = video && !(error && video.id !== id);
  return (
    <Screen
      title={video?.vod_name ?? text("player.name")}
      heading={video && <OperatorText text={video.vod_name} lang={video.langs?.vod_name} />}
    >
      {isGone(error) ? (
        <Gone />
      ) : isThere ? (
        <div className="two-columns xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
          <div className="flex flex-col gap-4 xl:sticky xl:top-17">
            <MediaProvider>
              <Player
                video={video}
                placeS={placeMs / SECOND_MS}
                next={more.data?.[0]}
                renew={async () => !(await refetch()).isError}
              />
              <VideoFacts video={video} />
              <Chapters video={video} />
            </MediaProvider>
          </div>
          <MoreVideos more={more} />
        </div>
      ) : error ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <PlayerSkeleton />
      )}
    </Screen>
  );
}

function Gone() {
  const text = useText();
  return (
    <EmptyNote drawing="gone" title={text("player.gone")}>
      <ButtonLink look="quiet" to="/Video" replace>
        {text("player.hall")}
      </ButtonLink>
    </EmptyNote>
  );
}

function PlayerSkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-4">
      <Skeleton className="-mx-4 -mt-4 aspect-video" />
      <Skeleton className="h-16" />
      <Skeleton className="h-40" />
    </div>
  );
}
