import {
  BadgeCheck,
  Bell,
  ChartNoAxesColumn,
  Dices,
  Eye,
  Headset,
  Info,
  ListOrdered,
  LockKeyhole,
  Mail,
  ReceiptText,
  Settings,
  ShieldCheck,
  Timer,
  UserRound,
  WalletMinimal,
  type LucideIcon,
} from "lucide-react";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { MOST_UNREAD, useUnread } from "./use-messages.ts";
import type { TextKey } from "#client/text/i18n.ts";

type Entry = readonly [key: TextKey, to: string, Icon: LucideIcon];

const MENUS: readonly (readonly [title: TextKey, entries: readonly Entry[]])[] = [
  [
    "mine.money",
    [
      ["mine.rechargeRecord", "/RechargeRecord", ReceiptText],
      ["mine.withdrawRecord", "/WithdrawRecord", WalletMinimal],
      ["mine.moneylog", "/Moneylog", ListOrdered],
      ["mine.report", "/Personalreport", ChartNoAxesColumn],
    ],
  ],
  [
    "mine.play",
    [
      ["mine.bets", "/GameRecord", Dices],
      ["mine.limits", "/Limits", Timer],
      ["mine.check", "/Fair", ShieldCheck],
      ["watch.title", "/Proof", Eye],
    ],
  ],
  [
    "mine.account",
    [
      ["mine.plans", "/Plans", BadgeCheck],
      ["mine.messages", "/Messages", Mail],
      ["security.title", "/Security", LockKeyhole],
      ["mine.info", "/Infomation", UserRound],
      ["mine.notices", "/Notice", Bell],
      ["mine.service", "/ServiceOnline", Headset],
      ["mine.setting", "/Setting", Settings],
      ["mine.about", "/About", Info],
    ],
  ],
];

/** Links to everything of the member's. Online support appears only while the operator offers it. */
export function MineMenus() {
  const text = useText();
  const { data: site } = useSite();
  const isOffered = ([key]: Entry) => key !== "mine.service" || site?.iskefu === 1;
  return (
    <div>
      {MENUS.map(([title, entries]) => (
        <Menu key={title} title={text(title)}>
          {entries.filter(isOffered).map(([key, to, Icon]) => (
            <MenuRow
              key={key}
              label={text(key)}
              to={to}
              icon={<Icon size={20} aria-hidden />}
              value={key === "mine.messages" ? <Unread /> : undefined}
            />
          ))}
        </Menu>
      ))}
    </div>
  );
}

/** The number of unread messages; hidden when there are none. */
function Unread() {
  const text = useText();
  const count = useUnread();
  if (count === 0) return null;
  return (
    <span className="figures inline-block min-w-6 rounded-full bg-brand-soft px-2 py-0.5 text-center text-xs font-semibold text-brand-text">
      <span aria-hidden>{count < MOST_UNREAD ? count : `${MOST_UNREAD}+`}</span>
      <span className="sr-only">{text("mine.unread", { count })}</span>
    </span>
  );
}
