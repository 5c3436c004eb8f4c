import { createRequire } from "node:module";
import type Sanitize from "sanitize-html";

/** Loaded with the first text: most processes clean none. */
const load = createRequire(import.meta.url);

/** An address that is not ours, to tell where a link would lead a browser. */
const HERE = "http://here.invalid";

/**
 * Leaves of HTML what is harmless: paragraphs, emphasis, lists, and links to the web or into the app. Scripts, styles,
 * pictures, handlers and every other attribute are gone; text stays.
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
  // Read as browsers do: a tab or a backslash in an address does not hide where it leads.
  const url = URL.parse(href, HERE);
  if (url?.origin === HERE) return href.startsWith("/") ? { href: url.pathname + url.search + url.hash } : {};
  if (!url || !/^https?:\/\//i.test(href)) return {};
  return { href: url.href, rel: "noopener noreferrer nofollow", target: "_blank" };
}
