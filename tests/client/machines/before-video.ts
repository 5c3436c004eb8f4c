import { createActor, SimulatedClock } from "xstate";
import { videoPreview } from "#client/machines/video-preview.ts";

interface Watched {
  isMember?: boolean;
  freeS?: number;
  durationS?: number;
}

/** A viewer of a video of 40 seconds, with a clock that the test moves. */
export function watch({ isMember = false, freeS = 15, durationS = 40 }: Watched = {}) {
  const clock = new SimulatedClock();
  const actor = createActor(videoPreview, { input: { isMember, freeS, durationS }, clock });
  const emitted: (string | number)[][] = [];
  actor.on("*", (event) => emitted.push("atS" in event ? [event.type, event.atS] : [event.type]));
  actor.start();
  let position = 0;
  const wait = (ms: number) => clock.increment(ms);
  return {
    send: actor.send.bind(actor),
    emitted,
    wait,
    state: () => JSON.stringify(actor.getSnapshot().value).replaceAll('"', ""),
    jump: (seconds: number) => actor.send({ type: "jump", seconds: (position = seconds) }),
    /** Plays for so long, reporting the position four times a second, until it is stopped. */
    play(seconds: number, speed = 1) {
      actor.send({ type: "play" });
      for (let i = 0; i < seconds * 4 && !actor.getSnapshot().matches("stopped"); i++) {
        actor.send({ type: "move", seconds: (position += speed / 4) });
        wait(250);
      }
      return position;
    },
  };
}

export const OFFERED = "{stopped:offered}";
export const DECLINED = "{stopped:declined}";
