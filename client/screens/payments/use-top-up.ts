import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { bus } from "#client/api/bus.ts";
import { call } from "#client/api/call.ts";
import { doRecharge, RECHARGE_STATUS, rechargeList } from "#shared/contract/payments.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import type { Attempt } from "./use-attempt.ts";

const POLL_MS = 5_000;

/** Places one order. A retry after a lost reply reuses the idempotency key. */
export function useOrder(money: string, { way, key }: Attempt) {
  return useQuery({
    queryKey: [doRecharge.path, key],
    queryFn: ({ signal }) => call(doRecharge, { pay_way: way, money }, { key, signal }),
    staleTime: Infinity,
  });
}

/** `held`: the payment arrived, and the operator must review it. */
type OrderStatus = "waiting" | "paid" | "failed" | "held";

const { waiting, paid, credited, failed } = RECHARGE_STATUS;

const statusOf = (status: number | undefined): OrderStatus => {
  if (status === paid || status === credited) return "paid";
  if (status === failed) return "failed";
  return status === undefined || status === waiting ? "waiting" : "held";
};

/** The status of an order: pushed, and polled in case the connection is down. */
export function useOrderStatus(order: string | undefined): { fate: OrderStatus; ask: () => void } {
  const [pushed, setPushed] = useState<{ id: string; status: number } | null>(null);
  const pushedStatus = pushed?.id === order ? statusOf(pushed?.status) : "waiting";
  const { data, refetch } = useEndpoint(
    rechargeList,
    {},
    {
      enabled: order !== undefined && pushedStatus !== "paid",
      staleTime: 0,
      refetchInterval: POLL_MS,
      // The payment page may be open in another tab, hiding this one.
      refetchIntervalInBackground: true,
    },
  );
  useEffect(() => {
    const onRecord = ({ kind, id, status }: { kind: string; id: string; status: number }) => {
      if (kind === "recharge") setPushed({ id, status });
    };
    bus.on("record", onRecord);
    return () => bus.off("record", onRecord);
  }, []);
  const listed = statusOf(data?.find(({ id }) => id === order)?.status);
  // A failed order may still be paid; a paid one never fails.
  const fate = (["paid", "held", "failed"] as const).find((one) => pushedStatus === one || listed === one);
  return { fate: fate ?? "waiting", ask: () => void refetch() };
}

/** Calls `onPaid` once when an order is paid. It refetches the balance, in case its push is lost. */
export function usePaid(fate: OrderStatus, onPaid: () => void): void {
  const queryClient = useQueryClient();
  const [isAnnounced, setAnnounced] = useState(false);
  const announce = useEffectEvent(() => {
    if (isAnnounced) return;
    setAnnounced(true);
    void queryClient.invalidateQueries({ queryKey: [getUserInfo.path] });
    onPaid();
  });
  useEffect(() => {
    if (fate === "paid") announce();
  }, [fate]);
}
