import { useEffect, useState } from "react";

/** What operators may write: text, emphasis, lists and links. The server has already sanitized it. */
const ALLOWED = {
  ALLOWED_TAGS: ["p", "br", "b", "strong", "i", "em", "u", "ul", "ol", "li", "a", "h2", "h3", "span"],
  ALLOWED_ATTR: ["href"],
  ALLOWED_URI_REGEXP: /^(https?:|\/(?!\/))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // The pages' policy takes markup from the sanitizer alone.
  RETURN_TRUSTED_TYPE: true as const,
};

/** Prefetches the sanitizer, so that HTML can appear at once. */
export const fetchCleaner = async () => (await import("dompurify")).default;

interface Props {
  html: string;
  /** Its language where that is not the reader's. */
  lang?: string | undefined;
  className?: string;
}

/** An operator's HTML, sanitized again here. The sanitizer loads on first use. */
export function SafeHtml({ html, lang, className = "" }: Props) {
  const clean = useClean(html);
  return (
    <div
      lang={lang}
      dir={lang && "auto"}
      className={`leading-normal break-words [&_a]:text-brand-text [&_a]:underline [&_li]:ms-5 [&_ol]:list-decimal [&_p]:mb-2 [&_ul]:list-disc ${className}`}
      {...(typeof clean === "string" ? { children: clean } : { dangerouslySetInnerHTML: clean })}
    />
  );
}

/** What the sanitizer leaves, or plain text where there is no sanitizer. */
type Clean = string | { __html: TrustedHTML };

function useClean(html: string): Clean {
  const [clean, setClean] = useState<Clean>("");
  useEffect(() => {
    let isWanted = true;
    void import("dompurify")
      .then(({ default: purify }) => {
        // In an unsupported browser DOMPurify returns its input unchanged.
        if (isWanted) setClean(purify.isSupported ? { __html: purify.sanitize(html, ALLOWED) } : wordsOf(html));
      })
      // If the sanitizer fails to load, only the text is shown.
      .catch(() => isWanted && setClean(wordsOf(html)));
    return () => {
      isWanted = false;
    };
  }, [html]);
  return clean;
}

/** What the server's sanitizer escapes. */
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The words of the server's HTML, without its tags. */
const wordsOf = (html: string): string =>
  html.replace(/<[^>]*>/g, " ").replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ENTITIES[name]!);
