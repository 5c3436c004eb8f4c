import { call } from "#client/api/call.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { recoverAccount } from "#shared/contract/security.ts";
import { Entrance } from "./Entrance.tsx";
import { useEntryForm } from "./use-entry-form.ts";

const ASKS = {
  username: "session.enterUsername",
  code: "recover.enterCode",
  new_password: "session.enterNewPassword",
} as const;

/** No words of a language: keyboards leave them as they are. */
const AS_TYPED = { autoCorrect: "off", spellCheck: false, enterKeyHint: "next" } as const;

/** The way back of a member who lost the password: a recovery code for a new one. */
export default function Recover() {
  const text = useText();
  const { data: site } = useSite();
  return (
    <Entrance title={text("recover.title")} other={{ to: "/Login", label: text("recover.toLogin") }}>
      <RecoverForm />
      {site?.iskefu === 1 && (
        <ButtonLink look="bare" to="/ServiceOnline" className="mt-3 w-full">
          {text("recover.noCode")}
        </ButtonLink>
      )}
    </Entrance>
  );
}

function RecoverForm() {
  const text = useText();
  const lang = useLanguage();
  const { field, form, refusal, isBusy } = useEntryForm<keyof typeof ASKS>({
    asks: ASKS,
    send: (values) => call(recoverAccount, { ...values, lang }),
  });
  return (
    <form {...form} aria-label={text("recover.title")} className="flex flex-col gap-4">
      <p className="text-sm text-muted">{text("recover.hint")}</p>
      <TextField
        {...field("username")}
        {...AS_TYPED}
        label={text("session.username")}
        autoComplete="username"
        autoCapitalize="none"
      />
      <TextField
        {...field("code")}
        {...AS_TYPED}
        label={text("recover.code")}
        hint={text("recover.codeHint")}
        autoComplete="off"
        autoCapitalize="characters"
      />
      <TextField
        {...field("new_password")}
        label={text("password.new")}
        hint={text("session.passwordHint")}
        type="password"
        autoComplete="new-password"
        enterKeyHint="go"
      />
      <Refusal>{refusal}</Refusal>
      <Button type="submit" isBusy={isBusy}>
        {text("recover.send")}
      </Button>
    </form>
  );
}
