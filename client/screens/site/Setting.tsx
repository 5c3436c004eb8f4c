import { Info, Languages } from "lucide-react";
import { DataDownload } from "#client/components/DataDownload.tsx";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { LOCALES } from "#shared/locales.ts";
import { CueChoice } from "./CueChoice.tsx";
import { InstallMenu } from "./Install.tsx";
import { Logout } from "./Logout.tsx";
import { PushMenu } from "./PushMenu.tsx";
import { ThemeChoice } from "./ThemeChoice.tsx";

/** Settings: theme, language, installation, notifications, data export and logout. */
export default function Setting() {
  const text = useText();
  const language = useLanguage();
  const languageName = LOCALES.find(({ code }) => code === language)?.name;
  return (
    <Screen title={text("setting.title")}>
      <ThemeChoice />
      <CueChoice />
      <Menu>
        <MenuRow
          label={text("setting.language")}
          icon={<Languages size={20} aria-hidden />}
          value={languageName}
          to="/Language?type=setting"
        />
        <MenuRow label={text("setting.about")} icon={<Info size={20} aria-hidden />} to="/About" />
      </Menu>
      <InstallMenu />
      <PushMenu />
      <DataDownload />
      <Logout />
      <Name />
    </Screen>
  );
}

/** The member's name. The rest of the screen does not wait for it. */
function Name() {
  const text = useText();
  const { data: user, isPending } = useUser();
  if (isPending) return <Skeleton className="mx-auto mt-3 h-5 w-40" />;
  if (!user) return null;
  return <p className="mt-3 text-center text-sm text-muted">{text("setting.signedIn", { name: user.username })}</p>;
}
