// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EndSheet, ALL_OTHERS } from "#client/screens/session/EndSheet.tsx";
import Saved from "#client/screens/video/Saved.tsx";
import Limits from "#client/screens/wallet/Limits.tsx";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { forgetListings, ownListings, savedListingIds } from "#shared/contract/listing.ts";
import { endSession } from "#shared/contract/session.ts";
import { forgetVideos, ownVideos, savedVideoIds } from "#shared/contract/video.ts";
import { getLimits, LIMIT_FIELDS, setLimits } from "#shared/contract/wallet.ts";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

/** What the server knows: the looser limit that waits, what was looked at, and the sessions elsewhere. */
let pending: number | null;
let seen: string[];
let elsewhere: string[];
/** Whether the next write is done and its answer lost. */
let isLosing: boolean;
/** The writes so far, and the answers under their idempotency keys, which the server keeps for a day. */
let writes: number;
let kept: Map<string, unknown>;

const IN_FORCE = 100;
const limits = () => ({
  ...Object.fromEntries([...LIMIT_FIELDS, "remind_minutes"].map((name) => [name, null])),
  stake_day: IN_FORCE,
  exclude_until: null,
  pending: pending === null ? [] : [{ name: "stake_day", value: pending, from: 1_800_000_000 }],
  left: Object.fromEntries(LIMIT_FIELDS.map((name) => [name, name === "stake_day" ? "100.00" : null])),
});
const ownList = () => ({ list: seen.map((id) => ({ id, time: 1, card: null })), count: seen.length });

const READ: Record<string, () => unknown> = {
  [getLimits.path]: limits,
  [ownVideos.path]: ownList,
  [ownListings.path]: ownList,
  [savedVideoIds.path]: () => [],
  [savedListingIds.path]: () => [],
};
const WRITE: Record<string, (body: URLSearchParams) => unknown> = {
  [setLimits.path]: (body) => {
    const wanted = Number(body.get("stake_day"));
    pending = wanted > IN_FORCE ? wanted : null;
    return limits();
  },
  [forgetVideos.path]: () => void (seen = []),
  [forgetListings.path]: () => void (seen = []),
  [endSession.path]: () => void (elsewhere = []),
};

function write(path: string, { body, headers }: RequestInit): unknown {
  writes++;
  const key = new Headers(headers).get("idempotency-key");
  if (key !== null && kept.has(key)) return kept.get(key);
  const data = WRITE[path]!(body as URLSearchParams) ?? null;
  if (key !== null) kept.set(key, data);
  if (!isLosing) return data;
  isLosing = false;
  throw new TypeError("Failed to fetch");
}

async function answer(url: string, init: RequestInit) {
  const path = new URL(url, "http://trio").pathname.replace("/api", "");
  const data = init.method === "POST" ? write(path, init) : (READ[path]?.() ?? {});
  return Response.json({ code: 200, msg: "", data });
}

beforeEach(() => {
  [pending, seen, elsewhere, isLosing, writes, kept] = [200, ["1"], ["laptop"], true, 0, new Map()];
  vi.stubGlobal("fetch", answer);
  writeStored("token", "mia-0001");
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});

/** Presses a button, and waits for its write. */
async function press(user: ReturnType<typeof show>["user"], name: string): Promise<void> {
  const before = writes;
  const button = await screen.findByRole("button", { name });
  await expect.poll(() => button.ariaDisabled ?? button.ariaBusy ?? "false").toBe("false");
  await user.click(button);
  await expect.poll(() => writes).toBe(before + 1);
}

describe("a lost answer does not stand for a later press", () => {
  it("that keeps the stricter limit", async () => {
    const { user } = show(<Limits />);
    await press(user, "Keep the stricter one");
    expect(pending).toBeNull();
    const [field] = await screen.findAllByRole("textbox", { name: /Per day/ });
    await user.clear(field!);
    await user.type(field!, "200");
    await press(user, "Save limits");
    expect(pending).toBe(200);
    await press(user, "Keep the stricter one");
    expect(pending).toBeNull();
  });

  it.each([
    ["watched", "videos"],
    ["opened", "listings"],
  ])("that clears what was %s", async (tab) => {
    const come = () => show(<Saved />, { places: [`/Saved?tab=${tab}`] });
    const { user, unmount } = come();
    await press(user, "Clear history");
    unmount();
    seen = ["2"];
    await press(come().user, "Clear history");
    expect(seen).toEqual([]);
  });

  it("that logs out all other devices", async () => {
    const { user } = show(<EndSheet ending={ALL_OTHERS} isOpen onClose={() => undefined} />);
    await press(user, "Log out");
    elsewhere = ["a stranger's phone"];
    await within(await screen.findByRole("dialog")).findByRole("alert");
    await press(user, "Log out");
    expect(elsewhere).toEqual([]);
  });
});
