import { option as names } from "#locales/en.json";
import { chanceFormat } from "#shared/format.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { DEFAULT_KIND, GAME_KINDS } from "#shared/lottery/games.ts";
import { chanceOf } from "#shared/lottery/odds.ts";
import { oddsText } from "#shared/lottery/odds-record.ts";
import { ratesOf, type Option } from "#shared/lottery/rules.ts";

const percent = chanceFormat("en");

/** An option's name in English. */
function nameOf({ name: { key, values = {} } }: Option): string {
  const text = (names as unknown as Record<string, string>)[key.replace("option.", "")] ?? key;
  return text.replace(/\{\{(\w+)\}\}/g, (_, value: string) => String(values[value] ?? ""));
}

/** What the options of a new game pay, how often they win and what they return: members are shown the same figures. */
export function OddsPreview({ kind }: { kind: string }) {
  const rules = GAME_KINDS.get(kind === "" ? DEFAULT_KIND : kind);
  if (!rules) return <p role="status">{`There is no such kind of game: ${[...GAME_KINDS.keys()].join(", ")}.`}</p>;
  const draws = allDraws(rules.dice);
  const rows = rules.options.map((option, place) => {
    const rates = ratesOf(rules, place, rules.odds);
    return { option, pays: rates.map(oddsText).join(" / "), ...chanceOf(option, rates, draws) };
  });
  return (
    <section aria-label="Preview" className="preview">
      <div className="wide" role="region" aria-label="Odds" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {["Option", "Pays", "Chance", "Return"].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ option, pays, probability, rtp }) => (
              <tr key={option.type}>
                <td>{nameOf(option)}</td>
                <td>{pays}</td>
                <td>{percent(probability)}</td>
                <td>{percent(rtp)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
