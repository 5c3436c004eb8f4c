import { CircleCheck, Info, Scale, ShieldCheck } from "lucide-react";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { writeStored } from "#client/storage/local-storage.ts";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";

/** What a new member should know first: what the club is, how a draw is checked, and how to set limits. It stays on the device that registered until it is put away. */
export function FirstSteps() {
  const text = useText();
  const { data: user } = useUser();
  const newMember = useLocalStorage("new");
  if (!user || user.id !== newMember) return null;
  return (
    <Menu title={text("session.welcome", { name: user.username })}>
      <MenuRow to="/About" icon={<Info size={20} aria-hidden />} label={text("mine.about")} />
      <MenuRow to="/Fair" icon={<ShieldCheck size={20} aria-hidden />} label={text("mine.check")} />
      <MenuRow to="/Limits" icon={<Scale size={20} aria-hidden />} label={text("mine.limits")} />
      <MenuRow
        icon={<CircleCheck size={20} aria-hidden />}
        label={text("action.ok")}
        onPress={() => writeStored("new", "")}
      />
    </Menu>
  );
}
