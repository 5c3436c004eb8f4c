import { OperatorText } from "#client/components/OperatorText.tsx";
import { Card } from "#client/components/Card.tsx";
import { useChance } from "#client/screens/lottery/use-chance.ts";
import { useText } from "#client/text/use-text.ts";
import type { Prize } from "#shared/contract/wheel.ts";

/** Each prize and its probability, in the order of the wheel. */
export function Chances({ prizes }: { prizes: readonly Prize[] }) {
  const text = useText();
  const chance = useChance();
  return (
    <Card>
      <h2 className="mb-1 font-semibold">{text("wheel.chances")}</h2>
      <p className="mb-2 text-sm text-muted">{text("wheel.chancesHint")}</p>
      <ul className="divide-y divide-line">
        {prizes.map(({ id, title, langs, image, probability }) => (
          <li key={id} className="flex min-h-11 items-center gap-3 py-1.5 text-sm">
            <img src={image} alt="" width={28} height={28} className="size-7 shrink-0" />
            <span className="min-w-0 flex-1 break-words">
              <OperatorText text={title} lang={langs?.title} />
            </span>
            <span className="figures shrink-0 font-semibold">{chance(probability)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
