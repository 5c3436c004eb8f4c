import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useActorRef, useSelector } from "@xstate/react";
import { useEffect, useState } from "react";
import { fromPromise } from "xstate";
import { prefersStill } from "#client/app/motion.ts";
import { bus } from "#client/api/bus.ts";
import { call } from "#client/api/call.ts";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { writeTabOfSession, readTabOfSession } from "#client/storage/tab-storage.ts";
import { wheelSpin, type Begun, type Won } from "#client/machines/wheel-spin.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { moneyLog } from "#shared/contract/wallet.ts";
import {
  changeWheelSeed,
  luckdraw,
  luckdrawList,
  luckdrawLog,
  wheelSeeds,
  type Prize,
} from "#shared/contract/wheel.ts";
import { HOUR_MS } from "#shared/time.ts";
import { PUBLIC_AFTER_MS } from "#shared/wheel.ts";
import { keepAnswer } from "./kept-pairs.ts";

/** Storage name of this tab's unfinished spin. */
const STORED = "spin";
/** The server keeps a spin's idempotency key for a day; a later retry could be a new spin. */
const KEPT_FOR_MS = 23 * HOUR_MS;
/** Caches that a spin changes. They are refetched only once the wheel stands, so as not to reveal the prize. */
const OF_SPIN = [wheelSeeds.path, luckdrawList.path, luckdrawLog.path, getUserInfo.path, moneyLog.path];

/** A spin may have been begun before spins named their pair. */
type Stored = Pick<Begun, "key" | "price"> &
  Partial<Begun> & {
    /** Start of the spin by this device's clock, in ms. */
    at: number;
  };

const machine = wheelSpin.provide({
  actors: { spin: fromPromise<Won, Begun>(({ input: { key, ...asked } }) => call(luckdraw, inputOf(asked), { key })) },
});

/** A retry sends exactly what the first request did. */
const inputOf = ({ price, commit, words, table }: Omit<Begun, "key">) => ({
  price,
  ...(commit !== null && { commit }),
  ...(words !== null && { client_seed: words }),
  ...(table !== null && { table }),
});

function readBegun(): Begun | null {
  const begun = readTabOfSession<Stored>(STORED);
  if (!begun || Date.now() - begun.at >= KEPT_FOR_MS) return null;
  const { key, price, commit = null, words = null, table = null } = begun;
  return { key, price, commit, words, table };
}

function storeBegun({ key, ...asked }: Omit<Begun, "key"> & { key: string | null }): void {
  const begun = readTabOfSession<Stored>(STORED);
  if ((begun?.key ?? null) !== key)
    writeTabOfSession<Stored>(STORED, key === null ? null : { ...asked, key, at: Date.now() });
}

/** The wheel machine, connected to the server. An unanswered spin resumes, even after a reload. `member`: once it is known. */
export function useWheelSpin(wheel: readonly Prize[], member: string | undefined) {
  const [input] = useState(() => ({ wheel, newKey: newIdempotencyKey, begun: readBegun(), isStill: prefersStill() }));
  const actor = useActorRef(machine, { input });
  const queryClient = useQueryClient();
  useEffect(() => {
    const renew = (paths: string[]) =>
      paths.forEach((path) => void queryClient.invalidateQueries({ queryKey: [path] }));
    let renewal: ReturnType<typeof setTimeout> | undefined;
    const onConnection = ({ up }: { up: boolean }) => up && actor.send({ type: "retry" });
    bus.on("connection", onConnection);
    const subscriptions = [
      actor.subscribe(({ context: { key, price, commit, words, table } }) =>
        storeBegun({ key, price, commit, words, table }),
      ),
      actor.on("answered", () => (renewal = setTimeout(() => renew([luckdrawLog.path]), PUBLIC_AFTER_MS))),
      actor.on("stopped", ({ won }) => {
        showSpinsLeft(queryClient, won);
        renew(OF_SPIN);
      }),
      actor.on("refused", ({ error }) => void endUnspun(actor.getSnapshot().context, error).then(() => renew(OF_SPIN))),
    ];
    return () => {
      bus.off("connection", onConnection);
      clearTimeout(renewal);
      subscriptions.forEach((subscription) => subscription.unsubscribe());
      // The screen closed during a spin; other screens may show its effects now.
      if (actor.getSnapshot().context.key !== null) renew(OF_SPIN);
    };
  }, [actor, queryClient]);
  const snapshot = useSelector(actor, (now) => now);
  const { won, commit } = snapshot.context;
  useEffect(() => {
    if (won && commit !== null && member !== undefined) keepAnswer(member, commit, won);
  }, [won, commit, member]);
  return { actor, snapshot };
}

/**
 * The house has heard words for a table that is no longer in force, and could choose the next one to suit them. So their
 * pair ends with the table that they were for, and the next spin has new words. If no answer comes, the next spin is
 * refused again, and this is sent again.
 */
async function endUnspun({ commit, words, table }: Omit<Begun, "key">, error: unknown): Promise<void> {
  if ((error as { reason?: string }).reason !== "prizes.changed") return;
  if (commit === null || words === null || table === null) return;
  await call(changeWheelSeed, { client_seed: words, commit, table }, { key: newIdempotencyKey() }).catch(() => null);
}

/** Shows the new count at once; the refetch may take a while. */
function showSpinsLeft(queryClient: QueryClient, { spins_left }: Won): void {
  queryClient.setQueriesData<ReplyOf<typeof wheelSeeds>>(
    { queryKey: [wheelSeeds.path] },
    (seeds) => seeds && { ...seeds, spins_left },
  );
}

export type SpinActor = ReturnType<typeof useWheelSpin>["actor"];
export type SpinSnapshot = ReturnType<typeof useWheelSpin>["snapshot"];
