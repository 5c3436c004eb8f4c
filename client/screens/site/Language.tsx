import { Check } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { showToast } from "#client/api/bus.ts";
import { Screen } from "#client/components/Screen.tsx";
import { useBack, useGo } from "#client/app/use-go.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { showLanguage } from "#client/text/i18n.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { useLanguages } from "./use-languages.ts";

/** The language list. A choice applies at once and leaves the screen. */
export default function Language() {
  const text = useText();
  const now = useLanguage();
  const languages = useLanguages();
  const { wanted, choose } = useChoosing();
  return (
    <Screen title={text("language.title")}>
      <p className="mb-3 text-sm text-muted">{text("language.hint")}</p>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-card">
        {languages.map(({ code, tag, name }) => (
          <li key={code}>
            <button
              type="button"
              lang={tag}
              aria-current={code === now || undefined}
              aria-busy={code === wanted || undefined}
              onClick={() => void choose(code)}
              className="flex min-h-13 w-full items-center justify-between gap-3 px-4 text-start text-base focus-visible:-outline-offset-3 aria-busy:animate-wait aria-[current=true]:font-semibold aria-[current=true]:text-brand-text"
            >
              {name}
              {code === now && <Check size={20} aria-hidden />}
            </button>
          </li>
        ))}
      </ul>
    </Screen>
  );
}

/** Applies the language that was chosen last and leaves: home if opened from settings, otherwise back. */
function useChoosing() {
  const text = useText();
  const leave = useLeaving();
  const [wanted, show] = useState<LocaleCode>();
  const last = useRef(0);
  const choose = async (code: LocaleCode) => {
    const turn = ++last.current;
    const isLast = () => turn === last.current;
    show(code);
    try {
      await showLanguage(code, { remember: true });
      if (isLast()) leave();
    } catch {
      if (isLast()) showToast(text("state.away"), "bad");
    } finally {
      if (isLast()) show(undefined);
    }
  };
  return { wanted, choose };
}

/** Whoever has left the screen meanwhile is led nowhere. */
function useLeaving() {
  const back = useBack();
  const go = useGo();
  const [query] = useSearchParams();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return () => {
    if (!isHere.current) return;
    if (query.has("type")) go("/Home", { replace: true });
    else back();
  };
}
