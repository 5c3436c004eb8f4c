import { useQueryClient } from "@tanstack/react-query";
import { Copy, Download } from "lucide-react";
import { useRef, useState, type RefObject } from "react";
import { showToast } from "#client/api/bus.ts";
import { saveFile } from "#client/api/download.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { useBack } from "#client/app/use-go.ts";
import { Button } from "#client/components/Button.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { useWrite } from "#client/hooks/use-write.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { makeCodes, securityState } from "#shared/contract/security.ts";

/** The codes that bring a member back who lost the password. A new set is shown until the screen is left, never again. */
export default function RecoveryCodes() {
  const text = useText();
  const { data, isError, error, refetch } = useEndpoint(securityState, {}, { staleTime: 0 });
  const [codes, show] = useState<readonly string[] | null>(null);
  return (
    <Screen title={text("recovery.title")}>
      {codes ? (
        <Shown codes={codes} />
      ) : data ? (
        <Making state={data} onMade={show} />
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy>
          <Skeleton className="h-40" />
        </div>
      )}
    </Screen>
  );
}

interface MakingProps {
  state: ReplyOf<typeof securityState>;
  onMade: (codes: readonly string[]) => void;
}

function Making({ state: { recovery_left: left, recovery_made: made }, onMade }: MakingProps) {
  const text = useText();
  const time = useTime();
  const failure = useFailureText();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useWrite(makeCodes, ({ codes }) => {
    onMade(codes);
    void queryClient.invalidateQueries({ queryKey: [securityState.path] });
  });
  return (
    <div className="flex flex-col gap-4">
      <p>{text("recovery.why")}</p>
      <p className="text-muted">
        {left === 0 ? text("recovery.none") : text("recovery.left", { left, time: time(made) })}
      </p>
      {left > 0 && <p className="text-sm text-muted">{text("recovery.replaceHint")}</p>}
      <Refusal>{error ? failure(error) : undefined}</Refusal>
      <Button isBusy={isPending} onClick={() => mutate({})}>
        {text(left === 0 ? "recovery.make" : "recovery.replace")}
      </Button>
    </div>
  );
}

function Shown({ codes }: { codes: readonly string[] }) {
  const text = useText();
  const back = useBack();
  const list = useRef<HTMLOListElement>(null);
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="font-semibold">
        {text("recovery.once")}
      </p>
      <ol
        ref={list}
        aria-label={text("recovery.list")}
        className="grid grid-cols-[repeat(auto-fit,minmax(min(11.5rem,100%),1fr))] gap-x-4 gap-y-2 rounded-lg bg-sunken p-4"
      >
        {codes.map((code) => (
          <li key={code} className="figures font-mono text-base select-all">
            {code}
          </li>
        ))}
      </ol>
      <SaveCodes codes={codes} list={list} />
      <Button onClick={back}>{text("recovery.saved")}</Button>
    </div>
  );
}

/** Two ways to save the codes. */
function SaveCodes({ codes, list }: { codes: readonly string[]; list: RefObject<HTMLElement | null> }) {
  const text = useText();
  const name = useUser().data?.username ?? "";
  const all = `${text("recovery.file", { name })}\n\n${codes.join("\n")}\n`;
  const copy = () =>
    navigator.clipboard.writeText(all).then(
      () => showToast(text("action.copied"), "good"),
      // If the clipboard is blocked, select the codes instead.
      () => list.current && getSelection()?.selectAllChildren(list.current),
    );
  const save = () =>
    saveFile({ name: `recovery-codes-${name}.txt`, content: new Blob([all], { type: "text/plain;charset=utf-8" }) });
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3">
      {/* Browsers offer the clipboard to pages of https and localhost alone. */}
      {"clipboard" in navigator && (
        <Button look="quiet" onClick={() => void copy()}>
          <Copy size={18} aria-hidden />
          {text("action.copy")}
        </Button>
      )}
      <Button look="quiet" onClick={save}>
        <Download size={18} aria-hidden />
        {text("recovery.save")}
      </Button>
    </div>
  );
}
