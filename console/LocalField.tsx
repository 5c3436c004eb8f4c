import { useState } from "react";
import { FALLBACK_LOCALE, localeBy, LOCALES, localText, type LocaleCode, type LocalText } from "#shared/locales.ts";

type Parts = Partial<Record<LocaleCode, string>>;

interface Props {
  id: string;
  isRequired: boolean;
  /** As a command takes it: a text, or JSON by language. */
  value: string;
  onValue: (value: string) => void;
}

/** The parts of a text by language; null for one that is for everybody. */
export function partsOf(value: string): Parts | null {
  if (!value.startsWith("{")) return null;
  try {
    return JSON.parse(value) as Parts;
  } catch {
    return null;
  }
}

/** The text as its readers get it. */
export const readLocal = (value: string): LocalText => partsOf(value) ?? value;

/** The language whose text stands in for one that has none; null where nothing does. */
export function standsInFor(text: LocalText, code: LocaleCode): LocaleCode | null {
  if (typeof text === "string" || text[code] !== undefined) return null;
  const read = localText(text, code);
  const filled: LocaleCode[] = [FALLBACK_LOCALE, ...LOCALES.map((one) => one.code)];
  const first = filled.find((one) => text[one] === read);
  return read === "" ? null : (first ?? null);
}

const pack = (parts: Parts): string => {
  const filled = Object.entries(parts).filter(([, part]) => part !== "");
  return filled.length === 0 ? "" : JSON.stringify(Object.fromEntries(filled));
};

/** A text for everybody, or a field for each language. */
export function LocalField({ id, isRequired, value, onValue }: Props) {
  const [isByLanguage, setByLanguage] = useState(() => partsOf(value) !== null);
  const parts = partsOf(value) ?? {};
  const turn = () => {
    onValue(isByLanguage ? localText(parts, FALLBACK_LOCALE) : pack({ [FALLBACK_LOCALE]: value }));
    setByLanguage(!isByLanguage);
  };
  return (
    <>
      {isByLanguage ? (
        <Languages id={id} parts={parts} isRequired={isRequired} onParts={(next) => onValue(pack(next))} />
      ) : (
        <textarea
          id={id}
          required={isRequired}
          rows={2}
          value={value}
          onChange={({ target }) => onValue(target.value)}
        />
      )}
      <button type="button" onClick={turn}>
        {isByLanguage ? "One text for everybody" : "A text for each language"}
      </button>
    </>
  );
}

interface LanguagesProps {
  id: string;
  parts: Parts;
  isRequired: boolean;
  onParts: (parts: Parts) => void;
}

function Languages({ id, parts, isRequired, onParts }: LanguagesProps) {
  const isEmpty = Object.keys(parts).length === 0;
  return (
    <span className="languages">
      {LOCALES.map(({ code, name, tag, direction }) => (
        <label key={code}>
          {name}
          <Instead parts={parts} code={code} />
          <textarea
            id={code === FALLBACK_LOCALE ? id : undefined}
            lang={tag}
            dir={direction}
            rows={1}
            required={isRequired && isEmpty && code === FALLBACK_LOCALE}
            value={parts[code] ?? ""}
            onChange={({ target }) => onParts({ ...parts, [code]: target.value })}
          />
        </label>
      ))}
    </span>
  );
}

/** What members of a language read while it has no text. */
function Instead({ parts, code }: { parts: Parts; code: LocaleCode }) {
  if (parts[code] !== undefined) return null;
  const from = standsInFor(parts, code);
  if (from === null) return <small> empty</small>;
  return <small>{` empty: they read ${localeBy(from).name}, “${parts[from]}”`}</small>;
}
