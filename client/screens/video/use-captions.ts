import { useCallback, useEffect, useState } from "react";

const captionsOf = ({ textTracks }: HTMLVideoElement) => [...textTracks].filter(({ kind }) => kind === "captions");

/** Which captions are shown, by their language; null for none. A browser's own choice is left to whoever watches. */
export function useCaptions(element: HTMLVideoElement | null) {
  const [lang, setLang] = useState<string | null>(null);
  useEffect(() => {
    if (!element) return undefined;
    const show = () => {
      for (const track of captionsOf(element)) track.mode = track.language === lang ? "showing" : "disabled";
    };
    show();
    // Each new signature brings tracks of its own.
    element.textTracks.addEventListener("addtrack", show);
    return () => element.textTracks.removeEventListener("addtrack", show);
  }, [element, lang]);
  const toggle = useCallback(
    () => setLang((shown) => (shown === null ? ((element && captionsOf(element)[0]?.language) ?? null) : null)),
    [element],
  );
  return { lang, choose: setLang, toggle };
}
