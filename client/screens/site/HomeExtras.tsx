import { Gift, Headset } from "lucide-react";
import { Bubble } from "#client/components/Bubble.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { writeStored } from "#client/storage/local-storage.ts";
import { Button } from "#client/components/Button.tsx";
import { SafeHtml } from "#client/components/SafeHtml.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";

/** What floats over the home screen: the ways to wheel and service, while they are open, and what the house announces. */
export default function HomeExtras() {
  const text = useText();
  const { data: site } = useSite();
  if (!site) return null;
  return (
    <>
      {site.isluckdraw === 1 && (
        <Bubble name="wheel" to="/luckDraw" label={text("wheel.title")} Icon={Gift} first={{ x: 1, y: 0.88 }} />
      )}
      {site.iskefu === 1 && (
        <Bubble
          name="service"
          to="/ServiceOnline"
          label={text("service.title")}
          Icon={Headset}
          first={{ x: 1, y: 1 }}
        />
      )}
      {site.ispop === 1 && site.pop_content !== "" && <Announcement html={site.pop_content} />}
    </>
  );
}

/** What the house announces: once for each text on this device, and not before a language has been chosen. */
function Announcement({ html }: { html: string }) {
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
