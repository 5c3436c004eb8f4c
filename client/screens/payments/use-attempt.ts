import { useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { goBack } from "#client/app/go-back.ts";
import { clearTab } from "#client/storage/use-tab-storage.ts";

/** A top-up that was begun: by whom, how it is paid, and the key that makes it one order however often it is asked for. */
export interface Attempt {
  member: string;
  way: string;
  key: string;
}

/** What the place in the history remembers, so that a reload goes on where it was. */
interface Remembered {
  attempt?: Attempt;
  /** The amount was given on the screen before, and top-up was opened on the one before that. */
  isStepped?: boolean;
}

/** Under which name the amount that was typed is kept. */
export const TYPED_AMOUNT = "recharge.amount";

/** The attempt of this place in the history, and what becomes of it. */
export function useAttempt(member: string | undefined) {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  // Only this app writes what its places remember.
  const { attempt, isStepped = false } = (state ?? {}) as Remembered;
  // A second tap comes before the first is on the screen.
  const isBegun = useRef(false);
  const remember = (now: Remembered) => void navigate(`${pathname}${search}`, { replace: true, state: now });
  return {
    attempt: attempt && attempt.member === member ? attempt : null,
    begin: (way: string) => {
      if (member === undefined || isBegun.current) return;
      isBegun.current = true;
      remember({ isStepped, attempt: { member, way, key: newIdempotencyKey() } });
    },
    /** Back to the choice of channels, for an order of its own. */
    beginAnew: () => {
      isBegun.current = false;
      remember({ isStepped });
    },
    /** It is paid: nothing is left of it, and the next screen is the one on which top-up was opened. */
    finish: () => {
      clearTab(TYPED_AMOUNT);
      remember({ isStepped });
      if (!isStepped || !goBack(2)) void navigate("/Mine", { replace: true });
    },
  };
}
