import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source-files.ts";

export interface Page {
  path: string;
  text: string;
}

const TOP = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

/** Every page written for people. */
export const PAGES: Page[] = [
  ...TOP,
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

export const pageAt = (path: string): string => {
  const page = PAGES.find((one) => one.path === path);
  if (!page) throw new Error(`there is no page ${path}`);
  return page.text;
};

/** A fenced block: its language, the words after it, and its text without a list's indentation. */
export interface Fence {
  language: string;
  about: string;
  text: string;
}

export function fencesOf(text: string): Fence[] {
  const fences = text.matchAll(/^( *)```(\w+)?(?: (\S+))?\n([\s\S]*?)^\1```$/gm);
  return [...fences].map(([, indent, language = "", about = "", body]) => ({
    language,
    about,
    text: body!.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** The commands of a page, one entry per fence. */
export const commandsOf = (path: string): string[] =>
  fencesOf(pageAt(path))
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text);

/** The cells of the first table below a heading, without the header row. */
export function tableBelow(path: string, heading: string): string[][] {
  const [, below] = `\n${pageAt(path)}`.split(`\n${heading}\n`);
  if (below === undefined) throw new Error(`${path} has no heading ${heading}`);
  const lines = /(?:^\|.*\|$\n?)+/m.exec(below)![0].trim().split("\n").slice(2);
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );
}

/** The code spans of a cell. */
export const codesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

/** A heading's anchor, as forges make it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** The anchors of a page's headings. */
export const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
