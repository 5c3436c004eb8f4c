import { useState } from "react";
import { useLocation } from "react-router";
import { isLocked, RefusedCall } from "#client/api/call-error.ts";
import { call } from "#client/api/call.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { doLogin } from "#shared/contract/session.ts";
import { Entrance } from "./Entrance.tsx";
import { PasskeyLogin } from "./PasskeyLogin.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { readDevice, useEntryForm } from "./use-entry-form.ts";

const ASKS = { username: "session.enterUsername", password: "session.enterPassword" } as const;
const CHOOSES = { ...ASKS, new_password: "session.enterNewPassword" } as const;

/** The login screen. */
export default function Login() {
  const text = useText();
  const { data: site } = useSite();
  const whyHere = useWhyHere();
  const [locked, lock] = useState(whyHere.locked);
  const onFailure = (error: unknown) => lock(isLocked(error) ? error.message : undefined);
  return (
    <Entrance title={text("session.loginTitle")} other={{ to: "/Register", label: text("session.toRegister") }}>
      <LoginForm onFailure={onFailure} />
      <ButtonLink look="bare" to="/Recover" className="mt-3 w-full">
        {text("recover.lost")}
      </ButtonLink>
      {site?.iskefu === 1 && (
        <ButtonLink
          look={locked === undefined ? "bare" : "quiet"}
          to="/ServiceOnline"
          state={locked === undefined ? null : { locked }}
          className="w-full"
        >
          {text("service.contact")}
        </ButtonLink>
      )}
    </Entrance>
  );
}

function LoginForm({ onFailure }: { onFailure: (error: unknown) => void }) {
  const text = useText();
  const { field, form, refusal, isBusy, isChoosing } = useLoginForm(onFailure);
  return (
    <form {...form} aria-label={text("session.loginTitle")} className="flex flex-col gap-4">
      <TextField
        {...field("username")}
        label={text("session.username")}
        autoComplete="username webauthn"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
      />
      <TextField
        {...field("password")}
        label={text("session.password")}
        type="password"
        autoComplete="current-password"
        enterKeyHint={isChoosing ? "next" : "go"}
      />
      {isChoosing && (
        <TextField
          {...field("new_password")}
          label={text("password.new")}
          hint={text("session.passwordHint")}
          type="password"
          autoComplete="new-password"
          enterKeyHint="go"
        />
      )}
      <Refusal>{refusal}</Refusal>
      <Button type="submit" isBusy={isBusy}>
        {text("session.login")}
      </Button>
      <PasskeyLogin onFailure={onFailure} />
    </form>
  );
}

/** The operator replaced the password: then what was typed opens the account together with the next one. */
function useLoginForm(onFailure: (error: unknown) => void) {
  const lang = useLanguage();
  const { refusal, locked } = useWhyHere();
  const [isChoosing, choose] = useState(false);
  const entry = useEntryForm<keyof typeof CHOOSES>({
    asks: isChoosing ? CHOOSES : ASKS,
    refused: refusal ?? locked,
    send: async (values) => {
      try {
        return await call(doLogin, { ...values, lang, device: readDevice(values.username) });
      } catch (error) {
        if (error instanceof RefusedCall && error.reason === "password.choose") choose(true);
        onFailure(error);
        throw error;
      }
    },
  });
  return { ...entry, isChoosing };
}

/** What led here: the server's refusal of a login link, or why the account is locked. */
function useWhyHere(): { refusal?: string; locked?: string } {
  // Only this app writes location state.
  return (useLocation().state ?? {}) as { refusal?: string; locked?: string };
}
