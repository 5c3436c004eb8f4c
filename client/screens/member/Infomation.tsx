import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { goBack } from "#client/app/layers.ts";
import { Avatar } from "#client/components/Avatar.tsx";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { BankAccount } from "#client/screens/payments/BankAccount.tsx";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { UserInfo } from "#shared/contract/session.ts";
import { AvatarSheet } from "./AvatarSheet.tsx";
import { RealName } from "./RealName.tsx";
import { SexForm } from "./SexForm.tsx";
import { UserScreen } from "./UserScreen.tsx";

const SEXES: Record<UserInfo["sex"], TextKey> = { "0": "info.unset", "1": "sex.man", "2": "sex.woman" };

/** The addresses of the sheets over this screen. */
const SHEETS: Record<string, "name" | "sex" | "bank"> = {
  "/setname": "name",
  "/setsex": "sex",
  "/setbank": "bank",
  "/bindcard": "bank",
};

/** The member's details. What can be changed is changed in a sheet, which has an address of its own. */
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
      <Forms user={user} />
    </>
  );
}

function Forms({ user: { name, sex } }: { user: UserInfo }) {
  const text = useText();
  const { sheet, close } = useSheetOfAddress();
  return (
    <>
      <Sheet title={text("info.name")} isOpen={sheet === "name"} onClose={close}>
        <RealName name={name} onDone={close} />
      </Sheet>
      <Sheet title={text("info.sex")} isOpen={sheet === "sex"} onClose={close}>
        <SexForm sex={sex} onDone={close} />
      </Sheet>
      <Sheet title={text("bank.title")} isOpen={sheet === "bank"} onClose={close}>
        <BankAccount onDone={close} />
      </Sheet>
    </>
  );
}

/** The sheet that the address names. A closed one leads to where one came from, or else to the screen below it. */
function useSheetOfAddress() {
  const navigate = useNavigate();
  const { pathname, key } = useLocation();
  const [left, leave] = useState<string>();
  const asked = SHEETS[pathname.toLowerCase().replace(/\/+$/, "")];
  const isLeft = asked !== undefined && left === key;
  // After the sheet has given its own history entry back.
  useEffect(() => {
    if (asked === undefined) leave(undefined);
    else if (isLeft && !goBack(1)) void navigate("/Infomation", { replace: true });
  }, [asked, isLeft, navigate]);
  return { sheet: isLeft ? undefined : asked, close: () => leave(key) };
}
