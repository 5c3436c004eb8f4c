import { ArrowRight, FingerprintPattern, ShieldCheck } from "lucide-react";
import { useState, type MouseEvent, type ReactNode } from "react";
import { Button } from "#client/components/Button.tsx";
import { Die } from "#client/components/Dice.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { writeStored } from "#client/storage/local-storage.ts";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";
import { figures, type TextKey } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import type { Draw } from "#shared/lottery/rules.ts";
import type { OddsItem } from "./odds-item.ts";
import { examplesOf } from "./Example.tsx";
import { useTimes } from "./use-chance.ts";
import type { BettingSnapshot } from "./use-betting-round.ts";
import type { OwnTable } from "./use-own-rounds.ts";

interface Props {
  kind: string;
  odds: readonly OddsItem[];
}

const CARDS: readonly { title: TextKey; texts: readonly TextKey[]; Drawing: (given: Shown) => ReactNode }[] = [
  { title: "guide.round", texts: ["guide.roundText"], Drawing: RoundDrawing },
  { title: "guide.bet", texts: ["guide.betText"], Drawing: BetDrawing },
  { title: "fair.title", texts: ["about.draws2", "about.draws3"], Drawing: CheckDrawing },
];

/** What a round is, how a bet works and how anybody checks a draw: a card each, with a drawing. */
export function GuideCards({ kind, odds, only }: Props & { only?: number }) {
  const text = useText();
  const [example] = examplesOf(kind, odds);
  if (!example) return null;
  return (
    <ol className={only === undefined ? "flex flex-col gap-6" : "grid *:col-start-1 *:row-start-1"}>
      {CARDS.map(({ title, texts, Drawing }, place) => (
        <li
          key={title}
          // The cards that are not shown keep their room, so that the sheet stays as high.
          className={`flex flex-col gap-3 ${only === undefined || only === place ? "" : "invisible"}`}
        >
          <Felt>
            <Drawing item={example.item} draw={example.draws[0]!} />
          </Felt>
          <h3 className="text-base font-semibold">{text(title)}</h3>
          {texts.map((key) => (
            <p key={key} className="text-sm break-words">
              {text(key)}
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
}

interface Shown {
  item: OddsItem;
  draw: Draw;
}

function Felt({ children }: { children: ReactNode }) {
  return (
    <div
      aria-hidden
      className="flex min-h-24 flex-wrap items-center justify-center gap-3 rounded-md bg-linear-to-b from-felt to-felt-deep p-3 text-on-felt"
    >
      {children}
    </div>
  );
}

const DIE = 36;
const ICON = 40;
const Next = () => <ArrowRight size={24} className="shrink-0 text-felt-muted" />;
const Drawn = ({ draw }: { draw: Draw }) => (
  <span className="flex gap-1.5">
    {draw.map((face, place) => (
      <Die key={place} face={face} size={DIE} />
    ))}
  </span>
);

const RADIUS = 26;
/** How much of the drawn countdown is left. */
const LEFT = 0.3;

function RoundDrawing({ draw }: Shown) {
  const around = 2 * Math.PI * RADIUS;
  return (
    <>
      <svg viewBox="0 0 64 64" width={ICON + 8} height={ICON + 8} fill="none" strokeWidth="6" className="-rotate-90">
        <circle cx="32" cy="32" r={RADIUS} className="stroke-felt-line" />
        <circle
          cx="32"
          cy="32"
          r={RADIUS}
          strokeLinecap="round"
          strokeDasharray={`${around * LEFT} ${around}`}
          className="stroke-on-felt"
        />
      </svg>
      <Next />
      <Drawn draw={draw} />
    </>
  );
}

function BetDrawing({ item: { name, pays }, draw }: Shown) {
  const times = useTimes();
  return (
    <>
      <span className="rounded-md border-2 border-on-felt px-3 py-2 text-center text-base/tight font-semibold break-words">
        {name} <span className="figures whitespace-nowrap">{times(pays[0]!)}</span>
      </span>
      <Next />
      <Drawn draw={draw} />
    </>
  );
}

function CheckDrawing({ draw }: Shown) {
  return (
    <>
      <FingerprintPattern size={ICON} />
      <Next />
      <Drawn draw={draw} />
      <ShieldCheck size={ICON} />
    </>
  );
}

/** Whether somebody is new at the table: they have no bets there, nothing in the cart, and were not told on this device. */
function useIsNew({ context: { round, cart, ticket } }: BettingSnapshot, { rounds }: OwnTable): boolean {
  const wasTold = useLocalStorage("tableTold") !== null;
  // On the very first visit the language is asked first.
  const hasLanguage = useLocalStorage("viodeLang") !== null;
  const hasNoBet = rounds?.length === 0 && cart.options.length === 0 && ticket === null;
  return hasLanguage && !wasTold && hasNoBet && round !== null;
}

/** Tells somebody new once, in three cards, how the table works. However it is closed, it never comes again by itself. */
export function FirstMinutes({ snapshot, own, ...given }: Props & { snapshot: BettingSnapshot; own: OwnTable }) {
  const text = useText();
  const isNew = useIsNew(snapshot, own) && given.odds.length > 0;
  const [place, go] = useState(0);
  const isLast = place === CARDS.length - 1;
  const end = () => writeStored("tableTold", "yes");
  const goOn = ({ currentTarget }: MouseEvent) => {
    currentTarget.closest('[role="dialog"]')?.scrollTo(0, 0);
    go(place + 1);
  };
  return (
    <Sheet title={text("guide.title")} isOpen={isNew} onClose={end}>
      <div aria-live="polite">
        <GuideCards only={place} {...given} />
      </div>
      <div className="sticky -bottom-(--foot) -mx-4 -mb-(--foot) flex flex-wrap items-center gap-x-3 gap-y-2 bg-card px-4 pt-4 pb-(--foot) [--foot:calc(env(safe-area-inset-bottom)+16px)]">
        <Button look="quiet" className={`flex-1 ${isLast ? "invisible" : ""}`} onClick={end}>
          {text("guide.skip")}
        </Button>
        <span className="figures text-sm whitespace-nowrap text-muted">
          {figures(`${place + 1} / ${CARDS.length}`)}
        </span>
        <Button className="flex-1" onClick={isLast ? end : goOn}>
          {text(isLast ? "action.ok" : "guide.next")}
        </Button>
      </div>
    </Sheet>
  );
}
