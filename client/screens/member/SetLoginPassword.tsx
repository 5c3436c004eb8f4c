import { Button, ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useText } from "#client/text/use-text.ts";
import { usePasswordForm } from "./use-password-form.ts";
import { UserScreen } from "./UserScreen.tsx";

/** Changes the login password, for members who have one. */
export default function SetLoginPassword() {
  const text = useText();
  return (
    <UserScreen title={text("setting.password")} rows={4}>
      {({ has_password }) =>
        has_password === 1 ? (
          <PasswordForm />
        ) : (
          <EmptyNote drawing="key" title={text("password.none")}>
            <ButtonLink look="quiet" to="/Passkeys">
              {text("passkeys.title")}
            </ButtonLink>
          </EmptyNote>
        )
      }
    </UserScreen>
  );
}

/** The typed values stay until the server accepts them. */
function PasswordForm() {
  const text = useText();
  const { form, field, refusal, isBusy } = usePasswordForm();
  return (
    <form {...form} aria-label={text("setting.password")} className="flex flex-col gap-4">
      <TextField
        {...field("old_password")}
        label={text("password.old")}
        type="password"
        autoComplete="current-password"
      />
      <TextField
        {...field("new_password")}
        label={text("password.new")}
        hint={text("session.passwordHint")}
        type="password"
        autoComplete="new-password"
      />
      <TextField {...field("repeat")} label={text("password.repeat")} type="password" autoComplete="new-password" />
      <p className="text-sm text-muted">{text("password.others")}</p>
      <Refusal>{refusal}</Refusal>
      <Button type="submit" isBusy={isBusy}>
        {text("password.save")}
      </Button>
    </form>
  );
}
