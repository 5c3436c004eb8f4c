import { useLanguage } from "#client/text/use-text.ts";
import { languageName } from "#shared/locales.ts";

interface Props {
  text: string;
  /** Its language where that is not the reader's: of the answer's `langs`, the one of this field. */
  lang: string | undefined;
}

/** A text that an operator wrote. One in another language says in which, to eyes, voices and fonts. */
export function OperatorText({ text, lang }: Props) {
  if (lang === undefined) return text;
  return (
    <>
      <span lang={lang} dir="auto">
        {text}
      </span>
      <LanguageName lang={lang} />
    </>
  );
}

/** Behind a text: which language it is in, if it is not the reader's. */
export function LanguageName({ lang }: { lang: string | undefined }) {
  const language = useLanguage();
  return lang === undefined ? null : (
    <span className="text-xs font-normal whitespace-nowrap"> ({languageName(lang, language)})</span>
  );
}
