import { createRequire } from "node:module";
import type Sanitize from "sanitize-html";

/** Loaded with the first text: most processes sanitize none. */
const load = createRequire(import.meta.url);

/** A base that is not ours, to see where a browser would follow a link. */
const HERE = "http://here.invalid";

/**
 * Sanitizes HTML. Keeps paragraphs, emphasis, lists, and links to the web or into the app. Removes scripts, styles,
 * pictures, handlers and every other attribute; text stays.
 */
export const cleanHtml = (html: string): string =>
  (load("sanitize-html") as typeof Sanitize)(html, {
    allowedTags: ["p", "br", "b", "strong", "i", "em", "ul", "ol", "li", "a"],
    allowedAttributes: { a: ["href", "rel", "target"] },
    allowedSchemes: ["http", "https"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    transformTags: { a: (_, { href = "" }) => ({ tagName: "a", attribs: linkTo(href) }) },
  });

function linkTo(href: string): Record<string, string> {
  // Parsed as browsers do: a tab or a backslash does not hide where a link leads.
  const url = URL.parse(href, HERE);
  if (url?.origin === HERE) return href.startsWith("/") ? { href: url.pathname + url.search + url.hash } : {};
  if (!url || !/^https?:\/\//i.test(href)) return {};
  return { href: url.href, rel: "noopener noreferrer nofollow", target: "_blank" };
}
