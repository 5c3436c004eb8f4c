import { describe, expect, it } from "vitest";
import { CHECK_EVERY_MS, NEXT_AFTER_MS } from "#client/machines/video-preview.ts";
import { DECLINED, OFFERED, watch } from "./before-video.ts";

describe("a viewer without membership", () => {
  it.each([0.75, 1, 1.5, 2])("is stopped within one position report of the free part's end at speed %d", (speed) => {
    const { play, state, emitted } = watch();
    const stoppedAt = play(60, speed);
    expect(state()).toBe(OFFERED);
    expect(stoppedAt).toBeGreaterThanOrEqual(15);
    expect(stoppedAt).toBeLessThanOrEqual(15 + (speed * CHECK_EVERY_MS) / 1_000);
    expect(emitted).toEqual([["halt", 15]]);
  });

  it("is not stopped a moment before", () => {
    const { send, wait, state, emitted } = watch();
    send({ type: "move", seconds: 14.99 });
    wait(CHECK_EVERY_MS * 3);
    expect(state()).toBe("watching");
    send({ type: "move", seconds: 15 });
    wait(CHECK_EVERY_MS - 1);
    expect(state()).toBe("watching");
    wait(1);
    expect(state()).toBe(OFFERED);
    expect(emitted).toEqual([["halt", 15]]);
  });

  it("is stopped at once by a jump beyond, and not by one within", () => {
    const { jump, state, emitted } = watch();
    jump(14);
    expect(state()).toBe("watching");
    jump(30);
    expect(state()).toBe(OFFERED);
    expect(emitted).toEqual([["halt", 15]]);
  });

  it("is stopped where the stream ends, even short of the free part's end", () => {
    const { send, state, emitted } = watch({ freeS: 16 });
    send({ type: "move", seconds: 15.98 });
    send({ type: "end" });
    expect(state()).toBe(OFFERED);
    expect(emitted).toEqual([["halt", 15.98]]);
  });

  it("cannot play on past the offer", () => {
    const { jump, send, state, emitted } = watch();
    jump(20);
    send({ type: "play" });
    expect(state()).toBe(OFFERED);
    expect(emitted).toEqual([
      ["halt", 15],
      ["halt", 15],
    ]);
  });

  it("may decline and see the free part again, but nothing more", () => {
    const { jump, send, play, state, emitted } = watch();
    jump(15);
    send({ type: "dismiss" });
    expect(state()).toBe(DECLINED);
    send({ type: "play" });
    expect(state()).toBe(OFFERED);
    send({ type: "dismiss" });
    jump(25);
    expect(state()).toBe(OFFERED);
    send({ type: "dismiss" });
    jump(3);
    expect(state()).toBe("watching");
    expect(play(60)).toBeLessThanOrEqual(17);
    expect(state()).toBe(OFFERED);
    expect(emitted.map(([what]) => what)).toEqual(["halt", "halt", "halt", "halt"]);
  });

  it("sees a video whole that is no longer than the free part, and then the next", () => {
    const { play, send, wait, state, emitted } = watch({ durationS: 12 });
    play(12);
    send({ type: "end" });
    expect(state()).toBe("ended");
    wait(NEXT_AFTER_MS);
    expect(emitted).toEqual([["leave"]]);
  });
});
