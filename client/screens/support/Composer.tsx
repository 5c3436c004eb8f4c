import { ImagePlus, SendHorizontal } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type SubmitEvent } from "react";
import { Refusal } from "#client/components/Refusal.tsx";
import { useSizeLimit } from "#client/screens/member/OwnPicture.tsx";
import { faultOf } from "#client/screens/member/use-avatar-upload.ts";
import { useTabStorage } from "#client/storage/use-tab-storage.ts";
import { useText } from "#client/text/use-text.ts";
import { MOST_MESSAGE } from "#shared/contract/support.ts";
import { PICTURE_TYPES } from "#shared/picture.ts";

const DRAFT = "support draft";
const ROUND = "grid size-12 shrink-0 place-items-center rounded-full";

/** Where the member writes, or chooses a picture. What is typed stays in this tab until it is sent. */
export function Composer({ onSend }: { onSend: (text: string, file?: File) => void }) {
  const text = useText();
  const { typed, write, send } = useDraft(onSend);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
  };
  return (
    <form
      onSubmit={onSubmit}
      className="sticky bottom-0 -mx-4 -mb-6 flex items-end gap-2 border-t border-line bg-paper px-3 pt-2 pb-[calc(env(safe-area-inset-bottom)+8px)]"
    >
      <PictureButton onChoose={(file) => onSend("", file)} />
      <textarea
        aria-label={text("service.message")}
        placeholder={text("service.message")}
        value={typed}
        maxLength={MOST_MESSAGE}
        onChange={({ target }) => write(target.value)}
        onKeyDown={onKeyDown}
        rows={1}
        dir="auto"
        className="field-sizing-content max-h-40 min-h-12 min-w-0 flex-1 resize-none rounded-md border border-edge bg-card px-4 py-2.5 text-base placeholder:text-muted"
      />
      <button
        type="submit"
        aria-label={text("service.send")}
        disabled={typed.trim() === ""}
        className={`${ROUND} bg-brand-deep text-on-brand disabled:opacity-55`}
      >
        <SendHorizontal size={20} aria-hidden />
      </button>
    </form>
  );
}

function useDraft(onSend: (text: string) => void) {
  const [typed, write] = useTabStorage(DRAFT);
  const send = () => {
    if (typed.trim() === "") return;
    onSend(typed.trim());
    write("");
  };
  return { typed, write, send };
}

function PictureButton({ onChoose }: { onChoose: (file: File) => void }) {
  const text = useText();
  const size = useSizeLimit();
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<ReturnType<typeof faultOf>>(null);
  const choose = (file: File) => {
    setFault(faultOf(file));
    if (faultOf(file) === null) onChoose(file);
  };
  return (
    <>
      {fault && (
        <div className="absolute inset-x-3 bottom-full pb-2">
          <Refusal>{text(`upload.${fault}`, { size })}</Refusal>
        </div>
      )}
      <button
        type="button"
        aria-label={text("service.picture")}
        onClick={() => input.current?.click()}
        className={`${ROUND} text-brand-text`}
      >
        <ImagePlus size={22} aria-hidden />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={PICTURE_TYPES.join(",")}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file may be chosen again.
          target.value = "";
          if (file) choose(file);
        }}
      />
    </>
  );
}
