import { chanceFormat } from "#shared/format.ts";
import { localeBy, localText, type LocalText } from "#shared/locales.ts";
import { weightOf } from "#shared/wheel.ts";
import { Phone } from "./Phone.tsx";
import { useReadFile } from "./use-read-file.ts";

interface Prize {
  id: string;
  title: LocalText;
  kind: string;
  amount?: number;
  weight: number;
  stock?: number | null;
}

const isPrize = (value: unknown): value is Prize => {
  const { id, title, weight } = (value ?? {}) as Partial<Prize>;
  const isTitle = typeof title === "string" || (typeof title === "object" && title !== null);
  return typeof id === "string" && isTitle && Number.isInteger(weight) && weight! > 0;
};

/** The prizes of a list that will stand on the wheel; null for a file that is none. */
export function offeredIn(text: string): Prize[] | null {
  try {
    const list = JSON.parse(text) as unknown;
    if (!Array.isArray(list) || list.length === 0 || !list.every(isPrize)) return null;
    return list.filter(({ stock }) => stock !== 0);
  } catch {
    return null;
  }
}

/** What a spin gives in points, in the long run. */
export const meanPoints = (prizes: readonly Prize[]): number =>
  prizes.reduce((sum, { kind, amount = 0, weight }) => sum + (kind === "points" ? amount * weight : 0), 0) /
  weightOf(prizes);

/** The chances of a list of prizes before they are set, as the wheel will publish them. */
export function PrizesPreview({ file }: { file: File | null }) {
  const prizes = useReadFile(file, offeredIn);
  if (file === null) return null;
  if (prizes === null || prizes.length === 0) return <p role="status">This file is no list of prizes.</p>;
  const whole = weightOf(prizes);
  return (
    <>
      <Phone texts={prizes.map(({ title }) => title)}>
        {(code) => (
          <ul className="chances">
            {prizes.map(({ id, title, weight }) => (
              <li key={id}>
                <span>{localText(title, code)}</span>
                <b>{chanceFormat(localeBy(code).tag)(weight / whole)}</b>
              </li>
            ))}
          </ul>
        )}
      </Phone>
      <p>
        <small>{`Members do not read this: a spin gives ${meanPoints(prizes).toFixed(2)} in points in the long run.`}</small>
      </p>
    </>
  );
}
