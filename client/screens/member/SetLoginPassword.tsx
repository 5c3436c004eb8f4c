import { Button } from "#client/components/Button.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useText } from "#client/hooks/use-text.ts";
import { usePasswordForm } from "./use-password-form.ts";

/** Changes the login password. What was typed stays until the server has taken it. */
export default function SetLoginPassword() {
  const text = useText();
  const { form, field, refusal, isBusy } = usePasswordForm();
  return (
    <Screen title={text("setting.password")}>
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
    </Screen>
  );
}
