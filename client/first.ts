import { SCREEN_TEXTS } from "#locales/screen-texts.ts";
import { begin } from "./api/early.ts";
import { firstCalls } from "./app/first-calls.ts";
import { reloadWhenBack } from "./app/missing-chunk.ts";
import { showTheme } from "./app/theme.ts";
import { rowAt } from "./routes.tsx";
import { readStored } from "./storage/local-storage.ts";
import { textTags } from "./text/text-tags.ts";
import { warmFormats } from "./text/warm-formats.ts";
import { DONE, type Envelope } from "#shared/contract/envelope.ts";
import { localeBy, localeOf, tagOf } from "#shared/locales.ts";
import "./styles/app.css";

/** Nothing is lost if it fails: whoever needs it asks again. */
const fetchAhead = (load: (() => Promise<unknown>) | undefined): void => void load?.().catch(() => undefined);

/** The page asks for a picture before the screen that shows it is there. */
async function fetchPicture(answer: Response, pictureIn: (data: never) => string): Promise<void> {
  const { code, data } = (await answer.json()) as Envelope;
  const href = code === DONE && pictureIn(data as never);
  if (!href) return;
  document.head.append(
    Object.assign(document.createElement("link"), { rel: "preload", as: "image", fetchPriority: "high", href }),
  );
}

// The page is painted before the app is there.
showTheme();

// The screen, its texts and its first answers come beside the app, and not after it: what is small first.
const row = rowAt(window.location.pathname);
const language = localeOf(readStored("viodeLang"));
for (const { endpoint, input, pictureIn } of firstCalls(window.location))
  begin(endpoint, input, language, pictureIn && ((answer) => fetchPicture(answer, pictureIn)));
for (const tag of textTags(localeBy(language))) {
  fetchAhead(SCREEN_TEXTS[tag]?.home);
  if (row?.path !== "/Home") fetchAhead(SCREEN_TEXTS[tag]?.others);
}
fetchAhead(row?.load);

import("./main.tsx").catch((error: unknown) => {
  console.error(error);
  reloadWhenBack();
});

// Last: the app starts without it, too.
warmFormats(tagOf(language));
