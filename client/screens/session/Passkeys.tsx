import { ShieldAlert } from "lucide-react";
import { useState } from "react";
import { hasPasskeys, isOurs } from "#client/api/passkey.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { PullToRefresh, useRefresh } from "#client/components/PullToRefresh.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { passkeyList } from "#shared/contract/passkeys.ts";
import { AddPasskey } from "./AddPasskey.tsx";
import { PasskeyCard } from "./PasskeyCard.tsx";
import { RemovePasskey } from "./RemovePasskey.tsx";
import { RenamePasskey } from "./RenamePasskey.tsx";

type Reply = ReplyOf<typeof passkeyList>;
type Passkey = Reply["list"][number];

/** The member's passkeys: what they are called, when they were used, and ways to add and remove them. */
export default function Passkeys() {
  const text = useText();
  // Always refetched, because members look here for what a thief added.
  const { data, isError, error, refetch } = useEndpoint(passkeyList, {}, { staleTime: 0 });
  const refresh = useRefresh(refetch);
  return (
    <Screen title={text("passkeys.title")}>
      <PullToRefresh onRefresh={refresh}>
        <p className="mb-4 text-sm text-muted">{text("passkeys.intro")}</p>
        {data ? (
          <Inside {...data} />
        ) : isError ? (
          <FailedNote error={error} onRetry={() => void refetch()} />
        ) : (
          <div aria-busy>
            <SkeletonRows rows={2} className="h-40" />
          </div>
        )}
      </PullToRefresh>
    </Screen>
  );
}

/** What a sheet is open for. What it showed stays in it while it closes. */
type Open = "add" | "rename" | "remove" | null;

function Inside(reply: Reply) {
  const text = useText();
  const { list } = reply;
  const [open, setOpen] = useState<Open>(null);
  const [chosen, choose] = useState<Passkey>();
  const openFor = (what: Open) => (one: Passkey) => {
    choose(one);
    setOpen(what);
  };
  const close = () => setOpen(null);
  const why = useWhyNot(reply);
  const add = why ? <WhyNot>{why}</WhyNot> : <Button onClick={() => setOpen("add")}>{text("passkeys.add")}</Button>;
  return (
    <div className="flex flex-col gap-4">
      {list.length === 0 ? (
        <EmptyNote drawing="key" title={text("passkeys.empty")}>
          {add}
        </EmptyNote>
      ) : (
        add
      )}
      {list.length > 0 && (
        <ul aria-label={text("passkeys.list")} className="flex flex-col gap-3">
          {list.map((one) => (
            <li key={one.id}>
              <PasskeyCard
                passkey={one}
                onRename={() => openFor("rename")(one)}
                onRemove={() => openFor("remove")(one)}
              />
            </li>
          ))}
        </ul>
      )}
      <AddPasskey isOpen={open === "add"} onClose={close} />
      {chosen && <RenamePasskey key={chosen.id} passkey={chosen} isOpen={open === "rename"} onClose={close} />}
      {chosen && <RemovePasskey passkey={chosen} isOpen={open === "remove"} onClose={close} />}
    </div>
  );
}

/** Why no passkey can be added here, by the site, the browser or the number of those that are there. */
function useWhyNot({ offered, why, site, most, list }: Reply): string | undefined {
  const text = useText();
  if (offered !== "yes") return why;
  if (!hasPasskeys() || !isOurs(site)) return text("passkeys.unsupported");
  return list.length >= most ? text("passkeys.full", { most }) : undefined;
}

function WhyNot({ children }: { children: string }) {
  return (
    <Card className="flex items-center gap-3 text-start text-sm">
      <ShieldAlert size={22} aria-hidden className="shrink-0 text-amber" />
      <p className="min-w-0">{children}</p>
    </Card>
  );
}
