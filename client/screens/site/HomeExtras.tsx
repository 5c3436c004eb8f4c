import { Gift, Headset } from "lucide-react";
import { Bubble } from "#client/components/Bubble.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { Announcement } from "./Announcement.tsx";

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
