import { useState } from "react";
import { Avatar } from "#client/components/Avatar.tsx";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { UserInfo } from "#shared/contract/session.ts";
import { AvatarSheet } from "./AvatarSheet.tsx";
import { UserScreen } from "./UserScreen.tsx";

const SEXES: Record<UserInfo["sex"], TextKey> = { "0": "info.unset", "1": "sex.man", "2": "sex.woman" };

/** The member's details, with links to change what can be changed. */
export default function Infomation() {
  const text = useText();
  return (
    <UserScreen title={text("info.title")} rows={5}>
      {(user) => <Rows user={user} />}
    </UserScreen>
  );
}

function Rows({ user }: { user: UserInfo }) {
  const text = useText();
  const [isChoosing, choose] = useState(false);
  const { username, header_img, name, sex, is_bank } = user;
  return (
    <>
      <Menu>
        <MenuRow
          label={text("info.avatar")}
          value={
            <span className="flex justify-end">
              <Avatar username={username} image={header_img} size={44} />
            </span>
          }
          onPress={() => choose(true)}
        />
        <MenuRow label={text("session.username")} value={username} />
      </Menu>
      <Menu>
        {name === "" ? (
          <MenuRow label={text("info.name")} value={text("info.unset")} to="/Setname" />
        ) : (
          <MenuRow label={text("info.name")} value={<span className="break-words">{name}</span>} />
        )}
        <MenuRow label={text("info.sex")} value={text(SEXES[sex])} to="/Setsex" />
        <MenuRow label={text("info.bank")} value={text(is_bank ? "info.bound" : "info.unbound")} to="/Setbank" />
      </Menu>
      <AvatarSheet user={user} isOpen={isChoosing} onClose={() => choose(false)} />
    </>
  );
}
