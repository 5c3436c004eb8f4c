import { useEffect, useState } from "react";
import { showToast } from "#client/api/bus.ts";
import { Button } from "#client/components/Button.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useText } from "#client/text/use-text.ts";
import { browserLanguage, showLanguage, textsOf, type Text } from "#client/text/i18n.ts";
import { DEFAULT_LOCALE, FALLBACK_LOCALE, tagOf, type LocaleCode } from "#shared/locales.ts";
import { useLanguages } from "./use-languages.ts";

/** All languages, with the browser's preselected. It closes when the reader confirms one; Back takes the one that it is written in. */
export default function LanguagePicker({ isOpen }: { isOpen: boolean }) {
  const [wanted, want] = useState(browserLanguage);
  const languages = useLanguages();
  const chosen = [wanted, DEFAULT_LOCALE].find((code) => languages.some((one) => one.code === code));
  const code = chosen ?? FALLBACK_LOCALE;
  const words = useWordsOf(code);
  const { isBusy, show } = useShow();
  return (
    <Sheet
      kind="pop"
      title={words("language.choose")}
      lang={tagOf(code)}
      isOpen={isOpen}
      onBack={() => void show(code)}
      isAlone
    >
      <p className="mb-3 text-sm text-muted">{words("language.hint")}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void show(code);
        }}
      >
        <fieldset className="mb-4 grid grid-cols-2 gap-2">
          <legend className="sr-only">{words("language.title")}</legend>
          {languages.map(({ code: one, tag, name }) => (
            <Choice key={one} lang={tag} name={name} isChosen={one === code} onChoose={() => want(one)} />
          ))}
        </fieldset>
        <Button type="submit" isBusy={isBusy} className="w-full">
          {words("action.confirm")}
        </Button>
      </form>
    </Sheet>
  );
}

interface ChoiceProps {
  lang: string;
  name: string;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ lang, name, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="flex min-h-12 items-center gap-1.5 rounded-md border border-line px-2.5 text-base has-checked:border-brand-text has-checked:bg-brand-soft has-checked:font-semibold has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-text">
      <input
        type="radio"
        name="language"
        value={lang}
        checked={isChosen}
        onChange={onChoose}
        className="size-5 shrink-0 accent-brand-deep outline-none!"
      />
      <span lang={lang}>{name}</span>
    </label>
  );
}

/** The texts of the selected language; the current texts until they have loaded. */
function useWordsOf(code: LocaleCode): Text {
  const text = useText();
  const [found, find] = useState<{ code: LocaleCode; words: Text }>();
  useEffect(() => {
    let isOver = false;
    textsOf(code).then(
      (words) => isOver || find({ code, words }),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [code]);
  return found?.words ?? text;
}

function useShow() {
  const text = useText();
  const [isBusy, setBusy] = useState(false);
  const show = async (code: LocaleCode) => {
    setBusy(true);
    await showLanguage(code, { remember: true }).catch(() => showToast(text("state.away"), "bad"));
    setBusy(false);
  };
  return { isBusy, show };
}
