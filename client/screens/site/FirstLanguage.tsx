import { lazy, Suspense, useState, type ComponentType } from "react";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";

type Picker = ComponentType<{ isOpen: boolean }>;

/** When it does not come, the app goes on in the house's language. */
const LanguagePicker = lazy<Picker>(() => import("./LanguagePicker.tsx").catch(() => ({ default: () => null })));

/** Asks for the language on the first visit, and never again. */
export function FirstLanguage() {
  const isOpen = useLocalStorage("viodeLang") === null;
  const [isFirstVisit] = useState(isOpen);
  if (!isFirstVisit) return null;
  return (
    <Suspense fallback={null}>
      <LanguagePicker isOpen={isOpen} />
    </Suspense>
  );
}
