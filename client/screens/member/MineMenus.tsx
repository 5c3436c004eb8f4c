import {
  Bell,
  Bookmark,
  Gift,
  Headset,
  Info,
  ReceiptText,
  LockKeyhole,
  Mail,
  Settings,
  ShieldCheck,
  Ticket,
  Timer,
  UserRound,
  type LucideIcon,
} from "lucide-react";
import { UnreadBadge } from "#client/components/UnreadBadge.tsx";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useUnreadAnswers } from "#client/screens/support/use-unread-answers.ts";
import { useUnread } from "./use-unread.ts";
import type { TextKey } from "#client/text/i18n.ts";

type Entry = readonly [key: TextKey, to: string, Icon: LucideIcon];

const MENUS: readonly (readonly [title: TextKey, entries: readonly Entry[]])[] = [
  [
    "mine.play",
    [
      ["mine.history", "/GameRecord", ReceiptText],
      ["mine.limits", "/Limits", Timer],
      ["mine.check", "/Fair", ShieldCheck],
      ["wheel.title", "/luckDraw", Gift],
    ],
  ],
  [
    "mine.account",
    [
      ["saved.title", "/Saved", Bookmark],
      ["mine.messages", "/Messages", Mail],
      ["mine.notices", "/Notice", Bell],
      ["mine.service", "/ServiceOnline", Headset],
    ],
  ],
  [
    "mine.setting",
    [
      ["mine.info", "/Infomation", UserRound],
      ["invites.title", "/Invites", Ticket],
      ["security.title", "/Security", LockKeyhole],
      ["mine.setting", "/Setting", Settings],
      ["mine.about", "/About", Info],
    ],
  ],
];

/** Links to everything of the member's. Customer service, the wheel and invites appear only while the operator offers them. */
export function MineMenus() {
  const text = useText();
  const { data: site } = useSite();
  const unread: Partial<Record<TextKey, number>> = { "mine.messages": useUnread(), "mine.service": useUnreadAnswers() };
  const offers: Partial<Record<TextKey, boolean>> = {
    "mine.service": site?.iskefu === 1,
    "wheel.title": site?.isluckdraw === 1,
    "invites.title": (site?.member_invites ?? 0) > 0,
  };
  const isOffered = ([key]: Entry) => offers[key] ?? true;
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
              value={unread[key] ? <UnreadBadge count={unread[key]} /> : undefined}
            />
          ))}
        </Menu>
      ))}
    </div>
  );
}
