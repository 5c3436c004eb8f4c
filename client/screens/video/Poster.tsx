import type { ReactNode } from "react";
import { Picture } from "#client/components/Picture.tsx";
import { useText } from "#client/text/use-text.ts";
import { ownVideos, type VideoCard, videoList, videoMore, watching } from "#shared/contract/video.ts";
import { lengthText } from "./length.ts";
import { queryClient } from "#client/api/queries.ts";

interface Props {
  video: VideoCard;
  /** The layout width, as in the `sizes` attribute. */
  sizes: string;
  isFirst?: boolean;
  /** Overlaid on the picture's lower edge. */
  children?: ReactNode;
}

/** A video's poster frame and length. */
export function Poster({ video, sizes, isFirst = false, children }: Props) {
  const text = useText();
  return (
    <span className="relative block aspect-video overflow-hidden bg-sunken">
      <Picture
        src={video.vod_pic}
        shape={video.vod_shape}
        alt=""
        sizes={sizes}
        isFirst={isFirst}
        onBroken={renewPosters}
        className="absolute inset-0 h-full transition-transform duration-200 group-hover:scale-105"
      />
      <span className="figures absolute end-1.5 bottom-1.5 rounded-sm bg-stage/80 px-1.5 text-xs text-on-stage">
        <span className="sr-only">{text("hall.length")} </span>
        {lengthText(video.duration)}
      </span>
      {children}
    </span>
  );
}

/**
 * A poster's URL expires after minutes, while a list may stay open for longer. One refetch renews all broken posters on
 * the screen. It cannot loop: an unchanged URL is not tried again.
 */
function renewPosters(): void {
  if (!navigator.onLine) return;
  for (const { path } of [videoList, videoMore, watching, ownVideos]) {
    void queryClient.invalidateQueries({ queryKey: [path] }, { cancelRefetch: false });
  }
}
