import { screenTextsOf, type ScreenTexts } from "./home-texts.ts";
import { FILES } from "./languages.ts";

/**
 * Fetches each language's texts for screens, by its tag: those of Home first, and all others. A build for browsers fetches
 * a file of its own for each (`locales/vite-plugin.ts`).
 */
export const SCREEN_TEXTS: Record<string, Fetches> = Object.fromEntries(
  FILES.map((file) => {
    const { home, others } = screenTextsOf(file);
    return [file.tag, { home: async () => home, others: async () => others }];
  }),
);

type Fetches = { [Part in keyof ScreenTexts]: () => Promise<ScreenTexts[Part]> };
