import { DraftingCompass } from "lucide-react";
import { useLocation } from "react-router";
import { Screen } from "#client/components/Screen.tsx";
import { useText } from "#client/hooks/use-text.ts";
import { DeadEnd } from "./DeadEnd.tsx";

/** Stands where a part of the club is still being built. */
export default function NotOpen() {
  const text = useText();
  const { pathname } = useLocation();
  return (
    <Screen title={text("notOpen.title")} isRoot={/^\/(choose|video)$/i.test(pathname)}>
      <DeadEnd Icon={DraftingCompass}>{text("notOpen.hint")}</DeadEnd>
    </Screen>
  );
}
