import { useState } from "react";
import { useSearchParams } from "react-router";
import { call } from "#client/api/call.ts";
import { Button } from "#client/components/Button.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { writeStored } from "#client/storage/local-storage.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { doRegister } from "#shared/contract/session.ts";
import { Agreement } from "./Agreement.tsx";
import { Entrance } from "./Entrance.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { useEntryForm } from "./use-entry-form.ts";

const ASKS = {
  username: "session.enterUsername",
  password: "session.enterPassword",
  code: "session.enterCode",
} as const;

/** Names and codes take no autocorrection. */
const PLAIN = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false, enterKeyHint: "next" } as const;

/** The registration screen for invited guests. A link may bring the invite: `/Register?invite=CODE`. */
export default function Register() {
  const text = useText();
  const [params] = useSearchParams();
  return (
    <Entrance title={text("session.registerTitle")} other={{ to: "/Login", label: text("session.toLogin") }}>
      <RegisterForm invite={params.get("invite") ?? ""} />
    </Entrance>
  );
}

function RegisterForm({ invite }: { invite: string }) {
  const text = useText();
  const lang = useLanguage();
  const { agreement, isAgreed } = useAgreement();
  const { field, form, refusal, isBusy } = useEntryForm({
    asks: ASKS,
    begin: { code: invite },
    isReady: isAgreed,
    send: async (values) => {
      const entered = await call(doRegister, { ...values, lang });
      writeStored("new", entered.user.id);
      return entered;
    },
  });
  return (
    <form {...form} aria-label={text("session.registerTitle")} className="flex flex-col gap-4">
      <TextField
        {...field("username")}
        {...PLAIN}
        label={text("session.username")}
        hint={text("session.usernameHint")}
        autoComplete="username"
      />
      <TextField
        {...field("password")}
        label={text("session.password")}
        hint={text("session.passwordHint")}
        type="password"
        autoComplete="new-password"
        enterKeyHint="next"
      />
      <TextField {...field("code")} {...PLAIN} label={text("session.code")} autoComplete="off" enterKeyHint="go" />
      <Agreement {...agreement} />
      <Refusal>{refusal}</Refusal>
      <Button type="submit" isBusy={isBusy}>
        {text("session.register")}
      </Button>
    </form>
  );
}

/** The agreement, ticked initially; unticking it blocks the form. */
function useAgreement() {
  const [isTicked, tick] = useState(true);
  const [isMissed, miss] = useState(false);
  const isAgreed = () => {
    miss(!isTicked);
    return isTicked;
  };
  const onTick = (ticked: boolean) => {
    tick(ticked);
    if (ticked) miss(false);
  };
  return { agreement: { isTicked, isMissed, onTick }, isAgreed };
}
