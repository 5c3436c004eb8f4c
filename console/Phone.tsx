import { useId, useState, type ReactNode } from "react";
import { FALLBACK_LOCALE, localeBy, LOCALES, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { standsInFor } from "./LocalField.tsx";

interface PhoneProps {
  /** All texts that it shows: the note says which language stands in for them. */
  texts: readonly LocalText[];
  children: (locale: LocaleCode) => ReactNode;
}

/** A part of a member's screen at the width of a phone, in a language to choose. */
export function Phone({ texts, children }: PhoneProps) {
  const id = useId();
  const [code, setCode] = useState<LocaleCode>(FALLBACK_LOCALE);
  const instead = new Set(texts.map((text) => standsInFor(text, code)).filter((one) => one !== null));
  return (
    <section aria-label="Preview" className="preview">
      <label htmlFor={id}>As members read it in</label>
      <select id={id} value={code} onChange={({ target }) => setCode(target.value as LocaleCode)}>
        {LOCALES.map((locale) => (
          <option key={locale.code} value={locale.code} lang={locale.tag}>
            {locale.name}
          </option>
        ))}
      </select>
      {[...instead].map((from) => (
        <p key={from}>
          <small>{`What has no text in ${localeBy(code).name} they read in ${localeBy(from).name}.`}</small>
        </p>
      ))}
      <div className="phone" lang={localeBy(code).tag} dir={localeBy(code).direction}>
        {children(code)}
      </div>
    </section>
  );
}
