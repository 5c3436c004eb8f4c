import { useEffect, useState } from "react";

/** What an operator may write: words, their weight, lists and links. The server has cleaned it already. */
const ALLOWED = {
  ALLOWED_TAGS: ["p", "br", "b", "strong", "i", "em", "u", "ul", "ol", "li", "a", "h2", "h3", "span"],
  ALLOWED_ATTR: ["href"],
  ALLOWED_URI_REGEXP: /^(https?:|\/(?!\/))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** Ahead of need, so that what it cleans is there at once. */
export const fetchCleaner = async () => (await import("dompurify")).default;

/** HTML of an operator, with nothing in it that could act. Its cleaner is fetched when it is first needed. */
export function SafeHtml({ html, className = "" }: { html: string; className?: string }) {
  const clean = useClean(html);
  return (
    <div
      className={`leading-normal break-words [&_a]:text-brand-text [&_a]:underline [&_li]:ms-5 [&_ol]:list-decimal [&_p]:mb-2 [&_ul]:list-disc ${className}`}
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  );
}

function useClean(html: string): string {
  const [clean, setClean] = useState("");
  useEffect(() => {
    let isWanted = true;
    void import("dompurify")
      .then(({ default: purify }) => {
        // Where it cannot work it would hand back what it was given.
        if (isWanted) setClean(purify.isSupported ? purify.sanitize(html, ALLOWED) : wordsOf(html));
      })
      // Without the cleaner only the words are shown.
      .catch(() => isWanted && setClean(wordsOf(html)));
    return () => {
      isWanted = false;
    };
  }, [html]);
  return clean;
}

/** The bare words, which a document that runs nothing finds. */
function wordsOf(html: string): string {
  const words = new DOMParser().parseFromString(html, "text/html").body.textContent;
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
