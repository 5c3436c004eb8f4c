import { Check } from "lucide-react";
import { useRef } from "react";
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
  const choose = useChoosing();
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
              onClick={() => void choose(code)}
              className="flex min-h-13 w-full items-center justify-between gap-3 px-4 text-start text-base focus-visible:-outline-offset-3 aria-[current=true]:font-semibold aria-[current=true]:text-brand-text"
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

/** Applies a language and leaves: home if opened from settings, otherwise back. */
function useChoosing() {
  const text = useText();
  const back = useBack();
  const go = useGo();
  const [query] = useSearchParams();
  const isUnderway = useRef(false);
  return async (code: LocaleCode) => {
    if (isUnderway.current) return;
    isUnderway.current = true;
    try {
      await showLanguage(code, { remember: true });
      if (query.has("type")) go("/Home", { replace: true });
      else back();
    } catch {
      showToast(text("state.away"), "bad");
    } finally {
      isUnderway.current = false;
    }
  };
}
