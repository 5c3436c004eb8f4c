import { Button } from "#client/components/Button.tsx";
import { useText } from "#client/text/use-text.ts";

/** Over a video that does not go on. */
export function Stalled({ onRetry }: { onRetry: () => void }) {
  const text = useText();
  return (
    <div
      role="alert"
      className="absolute inset-0 z-10 flex flex-col items-center justify-center gap-3 bg-stage/85 p-4 text-center text-on-stage"
    >
      <p>{text("player.broken")}</p>
      <Button onClick={onRetry}>{text("action.retry")}</Button>
    </div>
  );
}
