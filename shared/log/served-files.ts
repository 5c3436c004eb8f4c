import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isHex } from "./strict.ts";

/** A file that a site serves as its app, and its hash in hex. */
export interface ServedFile {
  path: string;
  hash: string;
}

/** The page that everybody opens, in English, and the one that checks without a network. */
export const START_PAGE = "index.html";
export const OFFLINE_PAGE = "check.html";

const ENGLISH = "en";

/** A file in a language: English has the name itself, and the others their tag in it. */
export const fileInLanguage = (name: string, tag: string): string =>
  tag === ENGLISH ? name : name.replace(/\.(?=\w+$)/, `.${tag}.`);

/** The language in which a file is the start page. Undefined for every other file. */
export function startPageLanguage(path: string): string | undefined {
  if (path === START_PAGE) return ENGLISH;
  return /^index\.([A-Za-z0-9-]+)\.html$/.exec(path)?.[1];
}

/** One line a file, in the order of their names: the hash, two spaces, the name. The `app` leaf has the hash of this text. */
export const servedText = (files: readonly ServedFile[]): string =>
  files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, hash }) => `${hash}  ${path}\n`)
    .join("");

export const servedHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** Null for any other spelling. */
export function parseServed(text: string): ServedFile[] | null {
  const lines = text.split("\n").slice(0, -1);
  const files = lines.map((line) => ({ hash: line.slice(0, 64), path: line.slice(66) }));
  const isName = (path: string) => /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(path) && !path.includes("..");
  return files.every(({ hash, path }) => isHex(hash) && isName(path)) && servedText(files) === text ? files : null;
}
