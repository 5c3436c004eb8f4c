import { FILES, partOf, type TextTree } from "./languages.ts";

/**
 * Fetches each language's texts for screens, by its tag: their own, and the names of what can be chosen in a game, which
 * the server says too. A build for browsers fetches a file of its own for each (`locales/vite-plugin.ts`).
 */
export const SCREEN_TEXTS: Record<string, () => Promise<TextTree>> = Object.fromEntries(
  FILES.map((file) => [file.tag, async () => ({ ...partOf(file, "app"), option: partOf(file, "option") })]),
);
