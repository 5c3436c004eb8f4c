import { CircleCheck, CircleDashed } from "lucide-react";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { UserInfo } from "#shared/contract/session.ts";

type Step = readonly [key: TextKey, to: string, isDone: boolean];

const stepsOf = ({ name, paypassword, is_bank }: UserInfo): Step[] => [
  ["withdraw.stepName", "/Setname", name !== ""],
  ["bank.setPasscode", "/SetPayPassword", paypassword === 1],
  ["bank.add", "/Setbank", is_bank === 1],
];

/** Whether the member has completed every step required before a withdrawal. */
export const isReady = (user: UserInfo): boolean => stepsOf(user).every(([, , isDone]) => isDone);

/** The steps before the first withdrawal; each open one links to its screen. */
export function WithdrawSteps({ user }: { user: UserInfo }) {
  const text = useText();
  return (
    <Menu title={text("withdraw.steps")}>
      {stepsOf(user).map(([key, to, isDone]) => (
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
