import { Compass } from "lucide-react";
import { Screen } from "#client/components/Screen.tsx";
import { useText } from "#client/text/use-text.ts";
import { DeadEnd } from "./DeadEnd.tsx";

/** Stands where there is no screen. */
export function NotFound() {
  const text = useText();
  return (
    <Screen title={text("notFound.title")}>
      <DeadEnd Icon={Compass}>{text("notFound.hint")}</DeadEnd>
    </Screen>
  );
}
