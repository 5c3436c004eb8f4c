import { useLocation } from "react-router";
import { call } from "#client/api/call.ts";
import { Button } from "#client/components/Button.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { doLogin } from "#shared/contract/session.ts";
import { Entrance } from "./Entrance.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { useEntryForm } from "./use-entry-form.ts";

const ASKS = { username: "session.enterUsername", password: "session.enterPassword" } as const;

/** The login screen. */
export default function Login() {
  const text = useText();
  return (
    <Entrance title={text("session.loginTitle")} other={{ to: "/Register", label: text("session.toRegister") }}>
      <LoginForm />
    </Entrance>
  );
}

function LoginForm() {
  const text = useText();
  const lang = useLanguage();
  const { field, form, refusal, isBusy } = useEntryForm({
    asks: ASKS,
    refused: useRefusedLink(),
    send: (values) => call(doLogin, { ...values, lang }),
  });
  return (
    <form {...form} aria-label={text("session.loginTitle")} className="flex flex-col gap-4">
      <TextField
        {...field("username")}
        label={text("session.username")}
        autoComplete="username"
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
        enterKeyHint="go"
      />
      <Refusal>{refusal}</Refusal>
      <Button type="submit" isBusy={isBusy}>
        {text("session.login")}
      </Button>
    </form>
  );
}

/** The server's refusal of the login link that led here. */
function useRefusedLink(): string | undefined {
  // Only this app writes location state.
  const { refusal } = (useLocation().state ?? {}) as { refusal?: string };
  return refusal;
}
