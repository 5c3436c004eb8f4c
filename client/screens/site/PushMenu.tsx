import { useMutation } from "@tanstack/react-query";
import { pushSupport, turnOffPush, turnOnPush } from "#client/api/push.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { FailedNote } from "#client/components/Notes.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useWanted } from "#client/hooks/use-wanted.ts";
import { useText } from "#client/text/use-text.ts";
import { PUSH_KINDS, pushState, type PushKind } from "#shared/contract/push.ts";

const WHY_NOT = { denied: "push.denied", install: "push.ios", none: "push.none" } as const;

/** What this device is told while the app is closed, by kind, or why it cannot be. */
export function PushMenu() {
  const text = useText();
  const support = pushSupport();
  return (
    <fieldset className="mb-4">
      <legend className="mb-2 px-1 text-sm font-semibold text-muted">{text("push.title")}</legend>
      <div className="overflow-hidden rounded-lg border border-line bg-card">
        {support === "yes" ? <Kinds /> : <p className="px-4 py-3 text-sm">{text(WHY_NOT[support])}</p>}
      </div>
      {support === "yes" && <p className="mt-2 px-1 text-xs text-muted">{text("push.hint")}</p>}
    </fieldset>
  );
}

function Kinds() {
  const state = useEndpoint(pushState, {}, { staleTime: 0 });
  if (state.data) {
    const { key, kinds } = state.data;
    return <Choices serverKey={key} kinds={kinds} renew={state.refetch} />;
  }
  if (state.isError) return <FailedNote error={state.error} onRetry={() => void state.refetch()} />;
  return <SkeletonRows rows={PUSH_KINDS.length} className="h-13" />;
}

interface ChoicesProps {
  serverKey: string;
  kinds: readonly PushKind[];
  renew: () => Promise<unknown>;
}

function Choices({ serverKey, kinds, renew }: ChoicesProps) {
  const text = useText();
  const { mutateAsync, isError } = useMutation({
    networkMode: "always",
    mutationFn: async (wanted: readonly PushKind[]) => {
      if (wanted.length === 0) await turnOffPush();
      else if (!(await turnOnPush(wanted, serverKey))) throw new Error("not permitted");
      await renew();
    },
    // An answer that was lost may have changed it.
    onError: () => void renew(),
  });
  // Without permission nothing comes, whatever the server would send.
  const told = Notification.permission === "granted" ? kinds : [];
  const { wanted, want } = useWanted(mutateAsync);
  const chosen = wanted ?? told;
  const toggle = (kind: PushKind) => want(PUSH_KINDS.filter((one) => chosen.includes(one) !== (one === kind)));
  return (
    <div className="divide-y divide-line">
      {PUSH_KINDS.map((kind) => (
        <label key={kind} className="flex min-h-13 items-center gap-3 px-4 py-2 text-base">
          <span className="min-w-0 flex-1 wrap-anywhere">{text(`push.${kind}`)}</span>
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            onChange={() => toggle(kind)}
            className="size-5 shrink-0 accent-brand-deep"
          />
        </label>
      ))}
      {isError && (
        <p role="alert" className="px-4 py-3 text-sm text-bad">
          {text(Notification.permission === "denied" ? "push.denied" : "push.failed")}
        </p>
      )}
    </div>
  );
}
