import { useId, useState, type FormEvent } from "react";
import { showToast } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { HeartPicker } from "#client/components/HeartPicker.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useTabStorage } from "#client/storage/use-tab-storage.ts";
import { useText } from "#client/text/use-text.ts";
import { useWrite } from "#client/hooks/use-write.ts";
import { addComment } from "#shared/contract/listing.ts";

const MOST = 500;

/**
 * A member's comment and hearts, once per listing. Others see it after the operator approves it. The draft stays in
 * this tab.
 */
export function CommentForm({ listingId }: { listingId: string }) {
  const text = useText();
  const failure = useFailureText();
  const [typed, type] = useTabStorage(`comment ${listingId}`);
  const [hearts, give] = useState(0);
  const [wrong, setWrong] = useState<string>();
  const { mutate, isPending, isSuccess, error } = useWrite(addComment, () => {
    type("");
    showToast(text("comment.sent"), "good");
  });
  const isSent = isSuccess || (error instanceof RefusedCall && error.code === 409);
  if (isSent) return <p className="rounded-md bg-sunken px-4 py-3 text-sm">{text("comment.waiting")}</p>;
  const send = (event: FormEvent) => {
    event.preventDefault();
    const isMissing = typed.trim() === "" || hearts === 0;
    setWrong(isMissing ? text("comment.fill") : undefined);
    if (!isMissing) mutate({ id: listingId, text: typed.trim().replaceAll(/\s+/g, " "), hearts: String(hearts) });
  };
  return (
    <Card>
      <form onSubmit={send} className="flex flex-col gap-3">
        <HeartPicker value={hearts} onPick={give} />
        <WordField value={typed} onValue={type} />
        <Refusal>{wrong ?? (error ? failure(error) : undefined)}</Refusal>
        <Button type="submit" look="quiet" isBusy={isPending}>
          {text("comment.send")}
        </Button>
      </form>
    </Card>
  );
}

function WordField({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const text = useText();
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {text("comment.text")}
      </label>
      <textarea
        id={id}
        value={value}
        maxLength={MOST}
        rows={3}
        onChange={({ target }) => onValue(target.value)}
        className="w-full rounded-md border border-edge bg-card px-4 py-3 text-base"
      />
    </div>
  );
}
