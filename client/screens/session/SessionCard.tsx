import { Laptop, Smartphone } from "lucide-react";
import { Button } from "#client/components/Button.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { sessionList } from "#shared/contract/session.ts";
import { deviceName } from "./device-name.ts";

export type Session = ReplyOf<typeof sessionList>[number];

/** One logged-in device; any but this one can be logged out. */
export function SessionCard({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const text = useText();
  const time = useTime();
  const { agent, ip, created, last_seen, current } = session;
  const name = deviceName(agent, text);
  const endThis = text("figure.named", { name: text("sessions.end"), value: name });
  const Icon = /iPhone|Android|Mobile/.test(agent) ? Smartphone : Laptop;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon size={22} aria-hidden className="shrink-0 text-brand-text" />
        <h2 className="min-w-0 flex-1 text-base font-semibold break-words">{name}</h2>
        {current === 1 && (
          <span className="rounded-full bg-jade-soft px-3 py-1 text-xs font-semibold text-jade">
            {text("sessions.here")}
          </span>
        )}
      </div>
      <Facts
        facts={[
          [text("sessions.lastUse"), time(last_seen)],
          [text("sessions.since"), time(created)],
          [
            text("sessions.address"),
            <span key="address" className="break-all">
              {ip}
            </span>,
          ],
        ]}
      />
      {current === 0 && (
        <Button look="quiet" className="w-full" aria-label={endThis} onClick={onEnd}>
          {text("sessions.end")}
        </Button>
      )}
    </Card>
  );
}
