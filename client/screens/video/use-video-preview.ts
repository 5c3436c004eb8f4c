import { useActorRef, useSelector } from "@xstate/react";
import { useEffect, useRef, useState } from "react";
import { videoPreview } from "#client/machines/video-preview.ts";
import type { Video } from "./use-video.ts";

/** iPhones have their own full-screen API for videos. */
type AppleVideo = HTMLVideoElement & { webkitDisplayingFullscreen?: boolean; webkitExitFullscreen?: () => void };

/** Leaves full screen and picture-in-picture, which would cover the membership offer. */
function comeForward(video: AppleVideo): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  if (video.webkitDisplayingFullscreen) video.webkitExitFullscreen?.();
  if (document.pictureInPictureElement) void document.exitPictureInPicture();
}

interface Player {
  play: () => void;
  /** Goes to the next video. */
  leave: () => void;
}

const knownOf = ({ free_see_time, duration, is_see }: Video) => ({
  freeS: free_see_time,
  durationS: duration,
  isMember: is_see === 1,
});

/** Connects the preview machine to a player: it receives the position and pauses the player at the limit. */
export function useVideoPreview(element: HTMLVideoElement | null, video: Video, { play, leave }: Player) {
  const [input] = useState(() => knownOf(video));
  const actor = useActorRef(videoPreview, { input });
  const opened = useRef(video.id);
  useEffect(() => {
    if (opened.current !== video.id) actor.send({ type: "open", ...knownOf(video) });
    opened.current = video.id;
  }, [actor, video]);
  useEffect(() => {
    if (!element) return undefined;
    const over = new AbortController();
    const listen = (name: string, tell: () => void) => element.addEventListener(name, tell, { signal: over.signal });
    listen("timeupdate", () => actor.send({ type: "move", seconds: element.currentTime }));
    listen("seeking", () => actor.send({ type: "jump", seconds: element.currentTime }));
    listen("play", () => actor.send({ type: "play" }));
    listen("ended", () => actor.send({ type: "end" }));
    const halted = actor.on("halt", ({ atS }) => {
      element.pause();
      if (element.currentTime > atS) element.currentTime = atS;
      comeForward(element);
    });
    return () => {
      over.abort();
      halted.unsubscribe();
    };
  }, [actor, element]);
  useEffect(() => {
    const subscriptions = [actor.on("goOn", play), actor.on("leave", leave)];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [actor, play, leave]);
  const isMember = video.is_see === 1;
  useEffect(() => actor.send({ type: "accountStatus", isMember }), [actor, isMember]);
  return { actor, state: useSelector(actor, ({ value }) => (typeof value === "string" ? value : value.stopped)) };
}
