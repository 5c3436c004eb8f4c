import { describe, expect, it } from "vitest";
import { CHECK_EVERY_MS, NEXT_AFTER_MS } from "#client/machines/video-preview.ts";
import { OFFERED, watch } from "./before-video.ts";

describe("a new member", () => {
  it.each(["offered", "declined"])("continues where playback stopped, from %s", (from) => {
    const { jump, send, play, state, emitted } = watch();
    jump(30);
    if (from === "declined") send({ type: "dismiss" });
    send({ type: "accountStatus", isMember: true });
    expect(emitted).toEqual([
      ["halt", 15],
      ["goOn", 15],
    ]);
    expect(play(10, 2)).toBeGreaterThan(40);
    expect(state()).toBe("watching");
  });

  it("while watching just watches on", () => {
    const { play, send, state, emitted } = watch();
    play(10);
    send({ type: "accountStatus", isMember: true });
    play(20);
    expect(state()).toBe("watching");
    expect(emitted).toEqual([]);
  });

  it("is not assumed when a push repeats that there is no membership", () => {
    const { jump, send, state } = watch();
    jump(30);
    send({ type: "accountStatus", isMember: false });
    expect(state()).toBe(OFFERED);
  });
});

describe("a member", () => {
  it("is never stopped, however fast and wherever", () => {
    const { play, jump, state, emitted } = watch({ isMember: true });
    play(8, 2);
    jump(35);
    play(2);
    expect(state()).toBe("watching");
    expect(emitted).toEqual([]);
  });

  it("is stopped when the membership ends beyond the free part", () => {
    const { play, send, wait, state, emitted } = watch({ isMember: true });
    play(20);
    send({ type: "accountStatus", isMember: false });
    wait(CHECK_EVERY_MS);
    expect(state()).toBe(OFFERED);
    expect(emitted).toEqual([["halt", 15]]);
  });

  it("is led to the next video, at once or never if so chosen", () => {
    const ended = () => {
      const one = watch({ isMember: true });
      one.send({ type: "end" });
      return one;
    };
    const now = ended();
    now.send({ type: "next" });
    expect([now.emitted, now.state()]).toEqual([[["leave"]], "left"]);
    const never = ended();
    never.wait(NEXT_AFTER_MS - 1);
    never.send({ type: "stay" });
    never.wait(NEXT_AFTER_MS * 2);
    expect([never.emitted, never.state()]).toEqual([[], "over"]);
  });

  it("starts over with another video, whatever the state of the last", () => {
    const { send, jump, state, emitted } = watch();
    const another = () => send({ type: "open", freeS: 10, durationS: 30, isMember: false });
    jump(20);
    another();
    expect(state()).toBe("watching");
    jump(11);
    expect(state()).toBe(OFFERED);
    expect(emitted.at(-1)).toEqual(["halt", 10]);
    send({ type: "accountStatus", isMember: true });
    send({ type: "end" });
    send({ type: "next" });
    another();
    expect(state()).toBe("watching");
  });

  it.each(["ended", "over", "left"])("may see it again from %s", (from) => {
    const { send, jump, wait, state } = watch({ isMember: true });
    for (const again of [() => send({ type: "play" }), () => jump(0)]) {
      send({ type: "end" });
      if (from === "over") send({ type: "stay" });
      if (from === "left") send({ type: "next" });
      again();
      wait(NEXT_AFTER_MS * 2);
      expect(state()).toBe("watching");
    }
  });
});
