import { Fingerprint } from "lucide-react";
import { Button } from "#client/components/Button.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { passkeyList } from "#shared/contract/passkeys.ts";

interface Props {
  passkey: ReplyOf<typeof passkeyList>["list"][number];
  onRename: () => void;
  onRemove: () => void;
}

/** One passkey: its name, when it was added and used, and where it works if not here. */
export function PasskeyCard({ passkey, onRename, onRemove }: Props) {
  const text = useText();
  const time = useTime();
  const { name, site, here, synced, created, last_used: lastUsed } = passkey;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Fingerprint size={22} aria-hidden className="shrink-0 text-brand-text" />
        <h2 className="min-w-0 flex-1 text-base font-semibold wrap-anywhere">{name}</h2>
      </div>
      <Facts
        facts={[
          [text("sessions.lastUse"), lastUsed === 0 ? text("passkeys.never") : time(lastUsed)],
          [text("passkeys.created"), time(created)],
        ]}
      />
      {synced === 1 && <p className="text-sm text-muted">{text("passkeys.synced")}</p>}
      {here === 0 && <p className="text-sm text-muted wrap-anywhere">{text("passkeys.elsewhere", { site })}</p>}
      <div className="flex flex-wrap gap-3">
        <Button
          look="quiet"
          className="flex-1"
          aria-label={text("figure.named", { name: text("passkeys.rename"), value: name })}
          onClick={onRename}
        >
          {text("passkeys.rename")}
        </Button>
        <Button
          look="quiet"
          className="flex-1"
          aria-label={text("figure.named", { name: text("passkeys.remove"), value: name })}
          onClick={onRemove}
        >
          {text("passkeys.remove")}
        </Button>
      </div>
    </Card>
  );
}
