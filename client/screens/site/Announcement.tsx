import { writeStored } from "#client/storage/local-storage.ts";
import { Button } from "#client/components/Button.tsx";
import { SafeHtml } from "#client/components/SafeHtml.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";

/** What the house announces: once for each text on this device, and not before a language has been chosen. */
export function Announcement({ html }: { html: string }) {
  const text = useText();
  const hasLanguage = useLocalStorage("viodeLang") !== null;
  const seen = useLocalStorage("popped");
  const close = () => writeStored("popped", html);
  return (
    <Sheet title={text("home.announcement")} kind="pop" isOpen={hasLanguage && seen !== html} onClose={close}>
      <SafeHtml html={html} className="mb-4" />
      <Button onClick={close} className="w-full">
        {text("action.ok")}
      </Button>
    </Sheet>
  );
}
