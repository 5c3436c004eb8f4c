import { describe, expect, it } from "vitest";
import { readSourceFiles } from "../support/source-files.ts";
import { isNode, nodesOf } from "../support/syntax.ts";

const SPOKEN = new Set(["aria-label", "title", "placeholder", "alt", "label", "heading", "hint", "value"]);
const hasWords = (text: unknown) => typeof text === "string" && /\p{L}{2,}/u.test(text);

/** Texts in the source that belong in the locales. */
function hardCoded(path: string, source: string): string[] {
  return nodesOf(path, source).flatMap((node) => {
    if (node.type === "JSXText" && hasWords(node.value)) return [`${path}: ${String(node.value).trim()}`];
    if (node.type !== "JSXAttribute" || !isNode(node.name) || !isNode(node.value)) return [];
    const name = String(node.name.name);
    const value = node.value.value;
    return SPOKEN.has(name) && hasWords(value) && !/^[a-z][\w-]*$/.test(String(value))
      ? [`${path}: ${name}="${String(value)}"`]
      : [];
  });
}

describe("a screen's text", () => {
  it("is in the locales and not in the source", () => {
    const screens = readSourceFiles().filter(({ path }) => /^client\/.*\.tsx$/.test(path));
    expect(screens).not.toEqual([]);
    expect(screens.flatMap(({ path, text }) => hardCoded(path, text))).toEqual([]);
  });

  it("is found when it is in the source", () => {
    expect(hardCoded("a.tsx", "const a = <p>Place bet</p>;")).toHaveLength(1);
    expect(hardCoded("a.tsx", 'const a = <button aria-label="Close it" />;')).toHaveLength(1);
    expect(hardCoded("a.tsx", 'const a = <p className="text-sm">{text("action.ok")} · ×2</p>;')).toEqual([]);
  });
});

/** Texts in the source in which a line may end before a dot that divides, so that the dot begins the next one. */
function loose(path: string, source: string): string[] {
  return nodesOf(path, source).flatMap((node) => {
    const value = node.type === "TemplateElement" ? (node.value as { cooked: unknown }).cooked : node.value;
    const isText = ["Literal", "TemplateElement", "JSXText"].includes(node.type);
    return isText && typeof value === "string" && /(?:^|[ \n])·/.test(value) ? [`${path}: ${value.trim()}`] : [];
  });
}

describe("a dot that divides", () => {
  // A window's title and what screen readers say have no lines.
  const NOT_DRAWN = new Set(["client/components/Screen.tsx", "client/screens/video/TimeLine.tsx"]);

  it("keeps to the line before it", () => {
    const sources = readSourceFiles().filter(
      ({ path }) => /^(?:client|console|server|shared|db)\/(?!bench\/).*\.tsx?$/.test(path) && !NOT_DRAWN.has(path),
    );
    expect(sources.flatMap(({ path, text }) => loose(path, text))).toEqual([]);
  });

  it("is found where it may begin a line", () => {
    expect(loose("a.tsx", 'const a = ["b", "c"].join(" · ");')).toHaveLength(1);
    expect(loose("a.tsx", "const a = `${b} · ${c}`;")).toHaveLength(1);
    expect(loose("a.tsx", "const a = <p>{b} · {c}</p>;")).toHaveLength(1);
    expect(loose("a.tsx", "const a = `${b}${DIVIDER}${c}`;")).toEqual([]);
  });
});

describe("a colour or a size", () => {
  it("has a name in tokens.css and is nowhere else", () => {
    const sources = readSourceFiles().filter(({ path }) => /^client\/.*\.tsx?$/.test(path));
    const found = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/["'`\s[:](#[0-9a-f]{3,8}|rgba?\([^)]*\)|text-\[\d+px\])(?=["'`\s\]])/gi)].map(
        (match) => `${path}: ${match[1]}`,
      ),
    );
    expect(found).toEqual([]);
  });
});
