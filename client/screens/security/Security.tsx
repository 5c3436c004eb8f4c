import { Fingerprint, KeyRound, LifeBuoy, LockKeyhole, MonitorSmartphone, type LucideIcon } from "lucide-react";
import { ButtonLink } from "#client/components/Button.tsx";
import { useEndpoint } from "#client/api/queries.ts";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton, SkeletonRows } from "#client/components/Skeleton.tsx";
import type { TextKey } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { messageList } from "#shared/contract/member.ts";
import { securityState } from "#shared/contract/security.ts";

type State = ReplyOf<typeof securityState>;
type Text = ReturnType<typeof useText>;

interface Way {
  label: TextKey;
  Icon: LucideIcon;
  /** Where it is changed, if it can be. */
  to: (state: State) => { to?: string };
  value?: (state: State, text: Text) => string;
}

const isSet = (flag: 0 | 1, text: Text) => text(flag === 1 ? "security.set" : "security.unset");

/** What opens the account, each with the screen that changes it. */
const WAYS: readonly Way[] = [
  {
    label: "setting.password",
    Icon: KeyRound,
    to: ({ password }) => (password === 1 ? { to: "/SetLoginPassword" } : {}),
    value: ({ password }, text) => (password === 1 ? isSet(password, text) : text("setting.byPartner")),
  },
  {
    label: "setting.payPassword",
    Icon: LockKeyhole,
    to: ({ passcode }) => ({ to: passcode === 1 ? "/EditPayPassword" : "/SetPayPassword" }),
    value: ({ passcode }, text) => isSet(passcode, text),
  },
  {
    label: "passkeys.title",
    Icon: Fingerprint,
    to: () => ({ to: "/Passkeys" }),
    value: ({ passkey }, text) => isSet(passkey, text),
  },
  { label: "sessions.title", Icon: MonitorSmartphone, to: () => ({ to: "/Sessions" }) },
  {
    label: "recovery.title",
    Icon: LifeBuoy,
    to: () => ({ to: "/RecoveryCodes" }),
    value: ({ recovery_left: left }, text) =>
      left === 0 ? text("security.unset") : text("security.codesLeft", { left }),
  },
];

/** The safety of the member's account: what opens it, where it is open, and what happened to it. */
export default function Security() {
  const text = useText();
  const { data, isError, error, refetch } = useEndpoint(securityState, {}, { staleTime: 0 });
  return (
    <Screen title={text("security.title")}>
      {data ? (
        <Menu>
          {WAYS.map(({ label, Icon, to, value }) => (
            <MenuRow
              key={label}
              label={text(label)}
              icon={<Icon size={20} aria-hidden />}
              value={value?.(data, text)}
              {...to(data)}
            />
          ))}
        </Menu>
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy>
          <Skeleton className="mb-4 h-52" />
        </div>
      )}
      <Recent />
    </Screen>
  );
}

/** The newest messages about the account's safety. */
function Recent() {
  const text = useText();
  const time = useTime();
  const about = { about: "security", limit: "5" } as const;
  const { data, isError, error, refetch } = useEndpoint(messageList, about, { staleTime: 0 });
  return (
    <section>
      <h2 className="mb-2 px-1 text-sm font-semibold text-muted">{text("security.recent")}</h2>
      {data ? (
        <>
          {data.length === 0 && <p className="px-1 text-muted">{text("security.empty")}</p>}
          <ul aria-label={text("security.recent")} className="flex flex-col gap-3 px-1 empty:hidden">
            {data.map(({ id, text: says, create_time }) => (
              <li key={id}>
                <p className="break-words">{says}</p>
                <p className="text-xs text-muted">{time(create_time)}</p>
              </li>
            ))}
          </ul>
          <ButtonLink look="bare" to="/Messages" className="mt-2 w-full">
            {text("security.all")}
          </ButtonLink>
        </>
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy>
          <SkeletonRows rows={3} className="h-14" />
        </div>
      )}
    </section>
  );
}
