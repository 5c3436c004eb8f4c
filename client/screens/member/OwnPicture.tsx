import { ImageUp } from "lucide-react";
import { useRef } from "react";
import { Button, type Look } from "#client/components/Button.tsx";
import { ProgressBar } from "#client/components/ProgressBar.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import type { AvatarUpload } from "./use-avatar-upload.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import { MOST_PICTURE_BYTES, PICTURE_TYPES } from "#shared/picture.ts";

/** The member's own picture: choose, preview and upload. */
export function OwnPicture({ upload }: { upload: AvatarUpload }) {
  const text = useText();
  const failure = useFailureText();
  const size = useSizeLimit();
  const { chosen, fault, isSending, error } = upload;
  const refusal = fault ? text(`upload.${fault}`, { size }) : error ? failure(error) : undefined;
  return (
    <section className="grid gap-3 py-2">
      <Refusal>{refusal}</Refusal>
      {chosen && (
        <img
          src={chosen.address}
          alt={text("upload.preview")}
          className="mx-auto size-32 rounded-full bg-sunken object-cover text-transparent"
        />
      )}
      {!chosen && <FileButton look="quiet" label={text("upload.choose")} onChoose={upload.choose} />}
      {!chosen && <p className="text-center text-sm text-muted">{text("upload.kinds", { size })}</p>}
      {chosen && isSending && <Sending upload={upload} />}
      {chosen && !isSending && (
        <div className="grid gap-2">
          <Button onClick={upload.send}>{text(error ? "action.retry" : "upload.use")}</Button>
          <FileButton look="bare" label={text("upload.other")} onChoose={upload.choose} />
        </div>
      )}
    </section>
  );
}

/** After the upload the server still checks the picture, for an unknown time. */
function Sending({ upload: { sent, cancel } }: { upload: AvatarUpload }) {
  const text = useText();
  const isSent = sent >= 1;
  return (
    <div className="grid gap-2">
      <ProgressBar label={text(isSent ? "upload.finishing" : "upload.sending")} value={isSent ? null : sent} />
      <Button look="quiet" onClick={cancel}>
        {text("action.cancel")}
      </Button>
    </div>
  );
}

interface FileButtonProps {
  look: Look;
  label: string;
  onChoose: (file: File) => void;
}

function FileButton({ look, label, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button look={look} onClick={() => input.current?.click()}>
        <ImageUp size={20} aria-hidden />
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={PICTURE_TYPES.join()}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Clearing the input lets the member choose the same file again.
          target.value = "";
          if (file) onChoose(file);
        }}
      />
    </>
  );
}

/** The largest allowed file size, in the reader's language. */
export function useSizeLimit(): string {
  const format = numberFormat(tagOf(useLanguage()), { style: "unit", unit: "megabyte" });
  return format.format(MOST_PICTURE_BYTES / 1024 / 1024);
}
