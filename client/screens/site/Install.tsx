import { MonitorDown } from "lucide-react";
import { install, useInstall, useInstallOffer } from "#client/app/install.ts";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { useSiteName } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";

/** In the settings, wherever the browser can install the app. */
export function InstallMenu() {
  const text = useText();
  const how = useInstall();
  if (how === null) return null;
  const icon = <MonitorDown size={20} aria-hidden />;
  return (
    <Menu>
      {how === "ask" ? (
        <MenuRow label={text("install.title")} icon={icon} onPress={() => void install()} />
      ) : (
        <MenuRow label={text("install.byHand")} icon={icon} />
      )}
    </Menu>
  );
}

/** The offer on the home screen, until it is answered. */
export function InstallCard() {
  const text = useText();
  const name = useSiteName();
  const how = useInstall();
  const [isOffered, answer] = useInstallOffer();
  if (!isOffered) return null;
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-semibold">{text("install.title")}</h2>
      <p className="text-sm text-muted">{text("install.why", { name })}</p>
      {how === "hand" && <p className="text-sm">{text("install.byHand")}</p>}
      <div className="flex flex-wrap gap-3">
        <Button look="quiet" className="flex-1" onClick={answer}>
          {text("install.later")}
        </Button>
        {how === "ask" && (
          <Button className="flex-1" onClick={() => void install()}>
            {text("install.action")}
          </Button>
        )}
      </div>
    </Card>
  );
}
