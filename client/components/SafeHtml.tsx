import { useEffect, useState } from "react";

/** What operators may write: text, emphasis, lists and links. The server has already sanitized it. */
const ALLOWED = {
  ALLOWED_TAGS: ["p", "br", "b", "strong", "i", "em", "u", "ul", "ol", "li", "a", "h2", "h3", "span"],
  ALLOWED_ATTR: ["href"],
  ALLOWED_URI_REGEXP: /^(https?:|\/(?!\/))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** Prefetches the sanitizer, so that HTML can appear at once. */
export const fetchCleaner = async () => (await import("dompurify")).default;

/** An operator's HTML, sanitized again here. The sanitizer loads on first use. */
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
        // In an unsupported browser DOMPurify returns its input unchanged.
        if (isWanted) setClean(purify.isSupported ? purify.sanitize(html, ALLOWED) : wordsOf(html));
      })
      // If the sanitizer fails to load, only the text is shown.
      .catch(() => isWanted && setClean(wordsOf(html)));
    return () => {
      isWanted = false;
    };
  }, [html]);
  return clean;
}

/** The plain text of the HTML, from a parsed document that runs no scripts. */
function wordsOf(html: string): string {
  const words = new DOMParser().parseFromString(html, "text/html").body.textContent;
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
