import { LanguageName } from "#client/components/OperatorText.tsx";
import { Gift, Headset } from "lucide-react";
import { Bubble } from "#client/components/Bubble.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { writeStored } from "#client/storage/local-storage.ts";
import { Button } from "#client/components/Button.tsx";
import { SafeHtml } from "#client/components/SafeHtml.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";

/** What a floating link's area leaves out of the screen's width, and how far two links stand apart, in pixels. */
const BESIDE_AREA = 72;
const APART = 54;

/** Where the links first are: that to the wheel, and that to the service. Both are at the end of the bar, */
const inBar = () =>
  [
    { x: 1 - APART / (window.innerWidth - BESIDE_AREA), y: 0 },
    { x: 1, y: 0 },
  ] as const;
/** or beside a frame that is narrower than the screen. */
const CORNER = [
  { x: 1, y: 0.88 },
  { x: 1, y: 1 },
] as const;

/** Whether the screen is wider than the frame (`in-frame`). */
const isWide = () => window.matchMedia("(width > 1000px)").matches;

/** The home screen's overlays: links to the wheel and support while they are open, and the announcement. */
export default function HomeExtras() {
  const text = useText();
  const { data: site } = useSite();
  if (!site) return null;
  const [wheel, service] = isWide() ? CORNER : inBar();
  return (
    <>
      {site.isluckdraw === 1 && (
        <Bubble name="wheel" to="/luckDraw" label={text("wheel.title")} Icon={Gift} first={wheel} />
      )}
      {site.iskefu === 1 && (
        <Bubble name="service" to="/ServiceOnline" label={text("service.title")} Icon={Headset} first={service} />
      )}
      {site.ispop === 1 && site.pop_content !== "" && (
        <Announcement html={site.pop_content} lang={site.langs?.pop_content} />
      )}
    </>
  );
}

/** The operator's announcement. Each text appears once per device, after the reader has chosen a language. */
function Announcement({ html, lang }: { html: string; lang: string | undefined }) {
  const text = useText();
  const hasLanguage = useLocalStorage("viodeLang") !== null;
  const seen = useLocalStorage("popped");
  const close = () => writeStored("popped", html);
  return (
    <Sheet title={text("home.announcement")} kind="pop" isOpen={hasLanguage && seen !== html} onClose={close}>
      <SafeHtml html={html} lang={lang} className="mb-4" />
      <LanguageName lang={lang} />
      <Button onClick={close} className="w-full">
        {text("action.ok")}
      </Button>
    </Sheet>
  );
}
