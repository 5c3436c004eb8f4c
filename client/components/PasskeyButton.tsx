import { Fingerprint } from "lucide-react";
import { Button, type Look } from "./Button.tsx";
import { Refusal } from "./Refusal.tsx";

interface Props {
  label: string;
  look?: Look;
  isBusy: boolean;
  error: string | undefined;
  onPress: () => void;
}

/** A button that asks for a passkey, and what went wrong with it. */
export function PasskeyButton({ label, look = "quiet", isBusy, error, onPress }: Props) {
  return (
    <>
      <Refusal>{error}</Refusal>
      <Button look={look} isBusy={isBusy} onClick={onPress}>
        <Fingerprint size={20} aria-hidden className="shrink-0" />
        {label}
      </Button>
    </>
  );
}
