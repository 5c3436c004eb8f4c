import { LOCALES } from "#shared/locales.ts";
import { parseKey, type NoteKey } from "#shared/log/note.ts";
import { checkEvidenceFile, checkExport, checkFile, checkFolder } from "./files.ts";
import { element, evidenceResult, exportResult, filled, logResult } from "./result.ts";
import { tagFor, textsOf, type OfflineTexts } from "./texts.ts";

/*
 * The page that checks offline: one file, saved and opened without a network. It has no framework and asks nobody.
 */
type Shown = (texts: OfflineTexts) => readonly (Node | string)[];

const byId = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!;
const language = byId<HTMLSelectElement>("language");
const shown = new Map<HTMLElement, Shown>();
let texts = textsOf("en");

function show(place: HTMLElement, result: Shown): void {
  shown.set(place, result);
  place.replaceChildren(...result(texts));
}

function speak(tag: string): void {
  texts = textsOf(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = LOCALES.find((one) => one.tag === tag)!.direction;
  document.title = texts.title;
  for (const one of document.querySelectorAll<HTMLElement>("[data-text]"))
    one.textContent = texts[one.dataset.text as Exclude<keyof OfflineTexts, "found" | "finding" | "strength">];
  for (const [place, result] of shown) place.replaceChildren(...result(texts));
}

/** Checks what was chosen, and shows how far it is and what it found. */
async function check(place: HTMLElement, work: (onProgress: (count: number) => void) => Promise<Shown>): Promise<void> {
  const onProgress = (count: number) => show(place, (texts) => [filled(texts.working, count)]);
  onProgress(0);
  try {
    show(place, await work(onProgress));
  } catch {
    show(place, (texts) => [element("p", { class: "verdict bad" }, texts.unreadable)]);
  }
}

/** The keys of witnesses that the reader knows. */
const witnesses = (): NoteKey[] =>
  byId<HTMLTextAreaElement>("witness-keys")
    .value.split("\n")
    .flatMap((line) => parseKey(line.trim()) ?? []);

function onChosen(id: string, use: (files: File[]) => Promise<void>): void {
  const input = byId<HTMLInputElement>(id);
  input.addEventListener("change", () => {
    const files = [...input.files!];
    // The same file can be chosen again after it was changed.
    input.value = "";
    if (files.length > 0) void use(files);
  });
}

for (const { tag, name } of LOCALES) language.append(element("option", { value: tag, lang: tag }, name));
language.value = tagFor(navigator.languages);
language.addEventListener("change", () => speak(language.value));
byId("save").hidden = location.protocol === "file:";
speak(language.value);

onChosen("log-file", ([file]) =>
  check(byId("log-result"), async (onProgress) => {
    const verdict = await checkFile(file!, witnesses(), onProgress);
    return (texts) => logResult(texts, verdict);
  }),
);
onChosen("log-folder", (files) =>
  check(byId("log-result"), async (onProgress) => {
    const verdict = await checkFolder(files, witnesses(), onProgress);
    return (texts) => logResult(texts, verdict);
  }),
);
onChosen("export-file", ([file]) =>
  check(byId("export-result"), async () => {
    const checked = await checkExport(
      file!,
      byId<HTMLInputElement>("export-key").value.trim().toLowerCase(),
      witnesses(),
    );
    return (texts) => exportResult(texts, checked);
  }),
);
onChosen("evidence-file", ([file]) =>
  check(byId("evidence-result"), async () => {
    const checked = await checkEvidenceFile(file!);
    return (texts) => evidenceResult(texts, checked);
  }),
);
