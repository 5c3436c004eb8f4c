import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { goBack } from "#client/app/layers.ts";
import { rechargeList } from "#shared/contract/payments.ts";
import { writeTabOfSession } from "#client/storage/tab-storage.ts";

/** A started top-up: the member, the channel, and the idempotency key that makes every retry the same order. */
export interface Attempt {
  member: string;
  way: string;
  key: string;
}

/** The state of a history entry, so that a reload resumes. */
interface Remembered {
  attempt?: Attempt;
  /** The amount was entered on the previous screen, and the top-up was opened on the one before that. */
  isStepped?: boolean;
}

/** Storage name of the typed amount. */
export const TYPED_AMOUNT = "recharge.amount";

/** The attempt stored in this history entry, and its transitions. */
export function useAttempt(member: string | undefined) {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const queryClient = useQueryClient();
  // Only this app writes its history state.
  const { attempt, isStepped = false } = (state ?? {}) as Remembered;
  // A second tap can come before the first one renders.
  const isBegun = useRef(false);
  const remember = (now: Remembered) => void navigate(`${pathname}${search}`, { replace: true, state: now });
  return {
    isStepped,
    attempt: attempt && attempt.member === member ? attempt : null,
    begin: (way: string) => {
      if (member === undefined || isBegun.current) return;
      isBegun.current = true;
      remember({ isStepped, attempt: { member, way, key: newIdempotencyKey() } });
    },
    /** Returns to the channel choice, for a new order. */
    beginAnew: () => {
      isBegun.current = false;
      remember({ isStepped });
    },
    /** The order is paid: the next top-up begins empty. */
    settle: () => {
      writeTabOfSession(TYPED_AMOUNT, null);
      void queryClient.invalidateQueries({ queryKey: [rechargeList.path] });
    },
    /** Returns to the screen that opened the top-up. */
    finish: () => {
      remember({});
      if (!isStepped || !goBack(2)) void navigate("/Mine", { replace: true });
    },
  };
}
