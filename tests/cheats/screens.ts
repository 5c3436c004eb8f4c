import type { Cheat } from "./cheat.ts";

export const screens: Cheat[] = [
  {
    id: "serve-one-member-another-app",
    house: "serves one member an app that always says genuine",
    by: "server",
    found: {
      nobody: "Code that the house serves can say anything to whom it was served. Only other software can tell.",
    },
    parts: ["B"],
    from: "added",
  },
  {
    id: "serve-everybody-another-app",
    house: "serves everybody an app that is not the one in the log",
    by: "files",
    found: { witness: "what is served does not have the hash of the app's leaf" },
    parts: ["B"],
    from: "added",
  },
  {
    id: "serve-an-app-that-no-leaf-names",
    house: "logs no app at all, so that what it serves is compared with nothing",
    by: "files",
    found: {
      witness: "an app is served, and the log names none",
      verifier: "an app is served, and the log names none",
    },
    parts: ["B"],
    from: "added",
  },
  {
    id: "log-a-lying-app",
    house: "builds an app that always says genuine, and logs its hash",
    by: "files",
    found: {
      nobody:
        "A hash proves which code was served to all, not that it is honest. Whoever reads or rebuilds it can tell.",
    },
    parts: ["B"],
    from: "added",
  },
  {
    id: "spoil-the-offline-page",
    house: "serves an offline verifier that passes everything",
    by: "files",
    found: { witness: "the page does not have the hash of the app's leaf" },
    parts: ["B"],
    from: "added",
  },
  {
    id: "promise-more-in-one-language",
    house: "words the rules in one language so that they promise what does not hold",
    by: "files",
    found: { witness: "the texts do not have the hash of the app's leaf" },
    parts: ["B"],
    from: "added",
  },
  {
    id: "wipe-a-phones-memory",
    house: "makes the browser clear what the app keeps, by a header or by logging the member out",
    by: "server",
    found: { app: "this phone remembers nothing from before that hour" },
    parts: ["B"],
    from: "added",
    lacks: "A phone that was wiped looks like a new one. It needs a saved file, another phone or a mark that survives.",
  },
  {
    id: "answer-with-the-question",
    house: "shows a phone whichever head it asks about, taken from its own request",
    by: "protocol",
    found: { app: "the newest head could not be joined with mine since that hour; nothing is shown as proven" },
    parts: ["B"],
    from: "added",
  },
  {
    id: "hide-the-missing-beacon",
    house: "plays without a beacon and hides the sentence that says so",
    by: "server",
    found: {
      app: "the opening's rule is none; the sentence follows from it and not from the answer",
      verifier: "the opening's rule is none",
    },
    parts: ["A1", "C"],
    from: "added",
  },
  {
    id: "announce-and-not-tell",
    house: "logs a pause or new odds and shows neither to members",
    by: "server",
    found: {
      app: "the log has a pause or odds that the screen does not show",
      verifier: "the log has a pause or odds that the public answers do not name",
    },
    parts: ["A3", "B"],
    from: "added",
  },
];
