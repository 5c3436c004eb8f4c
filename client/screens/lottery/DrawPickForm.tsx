import { ChevronDown } from "lucide-react";
import { useState, type FormEvent } from "react";
import { Button } from "#client/components/Button.tsx";
import { TextField } from "#client/components/TextField.tsx";
import type { DrawPick } from "./use-draw-pick.ts";
import { useText } from "#client/text/use-text.ts";
import type { Lottery } from "#shared/contract/lottery.ts";

interface Props {
  games: Lottery[] | undefined;
  offered: DrawPick;
  onPick: (pick: DrawPick) => void;
  roundError: string | undefined;
}

/** Asks for a game and a round. It shows the current draw until the user types. */
export function DrawPickForm({ games = [], offered, onPick, roundError }: Props) {
  const text = useText();
  const [typed, setTyped] = useState<DrawPick | null>(null);
  const { key, expect } = typed ?? offered;
  const choose = (chosen: string) => {
    const last = games.find((game) => game.key === chosen)?.now_expect;
    setTyped({ key: chosen, expect: last ?? "" });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPick({ key, expect: expect.trim() });
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <GameField games={games} value={key} onValue={choose} />
      <TextField
        name="expect"
        label={text("fair.round")}
        hint={text("fair.roundHint")}
        value={expect}
        onValue={(value) => setTyped({ key, expect: value })}
        error={roundError}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className="figures"
      />
      <Button type="submit">{text("fair.check")}</Button>
    </form>
  );
}

interface GameProps {
  games: Lottery[];
  value: string;
  onValue: (key: string) => void;
}

function GameField({ games, value, onValue }: GameProps) {
  const text = useText();
  const isListed = games.some(({ key }) => key === value);
  return (
    <label className="flex flex-col gap-1 text-sm font-medium">
      {text("fair.game")}
      <span className="relative">
        <select
          name="key"
          value={value}
          onChange={({ target }) => onValue(target.value)}
          className="min-h-12 w-full appearance-none rounded-md border border-edge bg-card px-4 pe-12 text-base font-normal text-ellipsis"
        >
          {!isListed && <option value={value}>{value}</option>}
          {games.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
        <ChevronDown
          size={20}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 end-4 my-auto text-muted"
        />
      </span>
    </label>
  );
}
