import { localText, type LocalText } from "#shared/locales.ts";
import { Phone } from "./Phone.tsx";
import { useReadFile } from "./use-read-file.ts";

interface Plan {
  id: string;
  name: LocalText;
  days: number;
  price: number;
}

const isPlan = (value: unknown): value is Plan => {
  const { id, name, days, price } = (value ?? {}) as Partial<Plan>;
  const isName = typeof name === "string" || (typeof name === "object" && name !== null);
  return typeof id === "string" && isName && [days, price].every((one) => Number.isInteger(one) && one! > 0);
};

/** The plans of a list; null for a file that is none. */
function plansIn(text: string): Plan[] | null {
  try {
    const list = JSON.parse(text) as unknown;
    return Array.isArray(list) && list.every(isPlan) ? list : null;
  } catch {
    return null;
  }
}

const format = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** Plans before they are on sale: their names as members read them, what each costs, and what a day of it does. */
export function PlansPreview({ file }: { file: File | null }) {
  const plans = useReadFile(file, plansIn);
  if (file === null) return null;
  if (plans === null) return <p role="status">This file is no list of plans.</p>;
  if (plans.length === 0) return <p role="status">No plan will be on sale.</p>;
  return (
    <>
      <Phone texts={plans.map(({ name }) => name)}>
        {(code) => (
          <ul>
            {plans.map(({ id, name }) => (
              <li key={id}>{localText(name, code)}</li>
            ))}
          </ul>
        )}
      </Phone>
      <ul className="chances" aria-label="Prices">
        {plans.map(({ id, days, price }) => (
          <li key={id}>
            <span>{id}</span>
            <span>{`${format.format(price)} for ${days} days, ${format.format(price / days)} a day`}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
