import { Hourglass } from "lucide-react";
import { ButtonLink } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { useCountdown } from "#client/hooks/use-countdown.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { formatSpan } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import { toSeconds } from "#shared/time.ts";

const HOUR_MIN = 60;
const MINUTE_S = 60;

/** After a change of the account: until when withdrawals wait, how long that is, and whom to ask. */
export function CoolingNote({ until }: { until: number }) {
  const text = useText();
  const time = useTime();
  const { data: site } = useSite();
  const left = useCountdown(until);
  const inWords = useHours(Math.ceil(left / MINUTE_S));
  if (left === 0) return null;
  return (
    <Card className="flex flex-col gap-2">
      <p className="flex gap-2 font-semibold">
        <Hourglass size={20} aria-hidden className="shrink-0 text-amber" />
        {text("withdraw.cooling", { time: time(toSeconds(until)) })}
      </p>
      <p className="figures">{text("withdraw.coolingLeft", { left: inWords })}</p>
      <p className="text-sm text-muted">{text("withdraw.coolingWhy")}</p>
      {site?.iskefu === 1 && (
        <ButtonLink look="quiet" to="/ServiceOnline">
          {text("mine.service")}
        </ButtonLink>
      )}
    </Card>
  );
}

/** Minutes as hours and minutes, in the reader's language. */
function useHours(minutes: number): string {
  const language = useLanguage();
  const hours = Math.floor(minutes / HOUR_MIN);
  const parts = [
    ...(hours > 0 ? [formatSpan(hours, "hour", language)] : []),
    formatSpan(minutes % HOUR_MIN, "minute", language),
  ];
  return new Intl.ListFormat(tagOf(language), { type: "unit" }).format(parts);
}
