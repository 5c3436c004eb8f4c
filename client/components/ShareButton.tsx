import { Share2 } from "lucide-react";
import { showToast } from "#client/api/bus.ts";
import { useText } from "#client/text/use-text.ts";

/** Offers the device's ways to share this screen's address, or copies it where there are none. */
export function ShareButton({ title, path }: { title: string; path: string }) {
  const text = useText();
  const share = () => {
    const url = `${window.location.origin}${path}`;
    // Some browsers lack each of the two, whatever the types say.
    const { share: offer, clipboard } = navigator as Partial<Navigator>;
    if (offer) {
      void navigator.share({ title, url }).catch(() => undefined);
      return;
    }
    const copied = clipboard ? clipboard.writeText(url) : Promise.reject(new Error("no clipboard"));
    copied.then(
      () => showToast(text("action.linkCopied"), "good"),
      // The address itself can be copied by hand.
      () => showToast(url, "good"),
    );
  };
  return (
    <button
      type="button"
      onClick={share}
      aria-label={text("action.share")}
      className="grid size-11 shrink-0 place-items-center text-brand-text"
    >
      <Share2 size={18} aria-hidden />
    </button>
  );
}
