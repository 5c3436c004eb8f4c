import { CircleCheck, CircleDashed } from "lucide-react";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { UserInfo } from "#shared/contract/session.ts";

type Step = readonly [key: TextKey, to: string, isDone: boolean];

const stepsOf = ({ name, paypassword, is_bank }: UserInfo, hasPasskey: boolean): Step[] => [
  ["withdraw.stepName", "/Setname", name !== ""],
  // A passkey confirms withdrawals too: then nobody asks for a passcode.
  ...(hasPasskey && paypassword === 0
    ? []
    : ([["bank.setPasscode", "/SetPayPassword", paypassword === 1]] satisfies Step[])),
  ["bank.add", "/Setbank", is_bank === 1],
];

/** Whether the member has completed every step required before a withdrawal. */
export const isReady = (user: UserInfo, hasPasskey: boolean): boolean =>
  stepsOf(user, hasPasskey).every(([, , isDone]) => isDone);

/** The steps before the first withdrawal; each open one links to its screen. */
export function WithdrawSteps({ user, hasPasskey }: { user: UserInfo; hasPasskey: boolean }) {
  const text = useText();
  return (
    <Menu title={text("withdraw.steps")}>
      {stepsOf(user, hasPasskey).map(([key, to, isDone]) => (
        <MenuRow
          key={key}
          label={text(key)}
          icon={
            isDone ? (
              <CircleCheck size={20} aria-hidden className="text-jade" />
            ) : (
              <CircleDashed size={20} aria-hidden />
            )
          }
          {...(isDone ? { value: text("withdraw.stepDone") } : { to })}
        />
      ))}
    </Menu>
  );
}
