import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { untilChange } from "#client/api/server-time.ts";
import { useMoney } from "#client/hooks/use-site.ts";
import { isAmount } from "#client/text/typed-digits.ts";
import { useText } from "#client/text/use-text.ts";
import {
  getLimits,
  LIMIT_FIELDS,
  setLimits,
  type LimitField,
  type LimitName,
  type Limits,
} from "#shared/contract/wallet.ts";
import { DIVIDER } from "#shared/format.ts";
import { fromDecimal, fromUnits, type Money } from "#shared/money.ts";
import { SECOND_MS } from "#shared/time.ts";
import { useSetting } from "#client/hooks/use-setting.ts";

export const MOST_MINUTES = 1_440;

/** The member's own limits. Their periods end with UTC days, and so does what is left of them; a break ends at any second. */
export const useLimits = () =>
  useEndpoint(getLimits, {}, { staleTime: 0, refetchInterval: ({ state }) => untilChange(changesOf(state.data)) });

/** When a break ends, and when each pending limit is in force, in ms since the epoch. */
function changesOf(limits: Limits | undefined): number[] {
  if (!limits) return [];
  const seconds = [limits.exclude_until, ...limits.pending.map(({ from }) => from)];
  return seconds.filter((moment) => moment !== null).map((moment) => moment * SECOND_MS);
}

/** When the member's break ends, in seconds since the epoch; null without one, undefined until that is known. */
export function useBreak(): number | null | undefined {
  const { data, isError } = useLimits();
  // The server refuses by itself: a screen is not closed because this is unknown.
  return data ? data.exclude_until : isError ? null : undefined;
}

/** The limit on stakes or losses that leaves least now, which refuses a bet beyond it; null where there is none. */
export function tightestOf({ left }: Limits): { name: LimitField; left: Money } | null {
  const set = LIMIT_FIELDS.filter((name) => !name.startsWith("recharge") && left[name] !== null);
  const [tightest] = set.map((name) => ({ name, left: fromDecimal(left[name]!) })).sort((a, b) => a.left - b.left);
  return tightest ?? null;
}

/** The used share of a limit, from 0 to 1; null without one. */
export function usedOf(limits: Limits, name: LimitField): number | null {
  const [limit, left] = [limits[name], limits.left[name]];
  if (limit === null || left === null) return null;
  return Math.min(1, Math.max(0, 1 - fromDecimal(left) / fromUnits(limit)));
}

/** What a limit is of, and how long its period is. */
export const partsOf = (name: LimitField) =>
  name.split("_") as ["stake" | "loss" | "recharge", "day" | "week" | "month"];

/** The tightest limit as a `Meter` shows it; null where there is none. */
export function useTightest(limits: Limits | undefined) {
  const text = useText();
  const money = useMoney();
  const tightest = limits ? tightestOf(limits) : null;
  if (!tightest) return null;
  return {
    label: partsOf(tightest.name)
      .map((part) => text(`limit.${part}`))
      .join(DIVIDER),
    share: usedOf(limits!, tightest.name)!,
    words: text("limit.left", { amount: money(tightest.left) }),
  };
}

/** Changes limits or starts a break, and caches the limits that the server returns. */
export function useLimitWrite(onDone: (limits: Limits, asked: object) => void) {
  const queryClient = useQueryClient();
  const queryKey = [getLimits.path];
  const done = (limits: Limits, asked: object) => {
    queryClient.setQueriesData<Limits>({ queryKey }, () => limits);
    onDone(limits, asked);
  };
  return useSetting(setLimits, done, () => queryClient.invalidateQueries({ queryKey }));
}

/** Typed values that differ from the limit in force; an empty one removes it. */
type Draft = Partial<Record<LimitName, string>>;

const NAMES: readonly LimitName[] = [...LIMIT_FIELDS, "remind_minutes"];

const isFitting = (name: LimitName, typed: string): boolean => {
  if (typed === "") return true;
  return name === "remind_minutes" ? Number(typed) >= 1 && Number(typed) <= MOST_MINUTES : isAmount(typed);
};

/** A draft of the limits: the value of each field, and the changed fields. */
export function useLimitDraft(limits: Limits) {
  const [draft, setDraft] = useState<Draft>({});
  const inForce = (name: LimitName) => limits[name]?.toString() ?? "";
  const changed = NAMES.filter((name) => draft[name] !== undefined && draft[name] !== inForce(name));
  return {
    shown: (name: LimitName) => draft[name] ?? inForce(name),
    type: (name: LimitName, typed: string) => setDraft((known) => ({ ...known, [name]: typed })),
    /** Drops the submitted fields from the draft; other typed fields stay. */
    clear: (asked: object) =>
      setDraft((known) => Object.fromEntries(Object.entries(known).filter(([name]) => !(name in asked)))),
    changes: Object.fromEntries(changed.map((name) => [name, draft[name]])) as Draft,
    wrong: changed.filter((name) => !isFitting(name, draft[name] ?? "")),
  };
}
