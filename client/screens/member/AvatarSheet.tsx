import { Refusal } from "#client/components/Refusal.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { StockAvatar } from "#client/components/StockAvatar.tsx";
import { useAvatarUpload } from "./use-avatar-upload.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useMemberSetting } from "./use-identity.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { uploadHeaderImg } from "#shared/contract/member.ts";
import type { UserInfo } from "#shared/contract/session.ts";
import { OwnPicture } from "./OwnPicture.tsx";

interface Props {
  user: UserInfo;
  isOpen: boolean;
  onClose: () => void;
}

/** Picks an avatar: the member's own picture or one of the club's. A successful choice closes the sheet. */
export function AvatarSheet({ user, isOpen, onClose }: Props) {
  const text = useText();
  const failure = useFailureText();
  const total = useSite().data?.head_toal ?? 0;
  const { mutate, mutateAsync, variables, isPending, error } = useMemberSetting({
    endpoint: uploadHeaderImg,
    success: "info.avatarSaved",
    changes: ({ header_img }) => (header_img === undefined ? {} : { header_img }),
    onDone: onClose,
  });
  const upload = useAvatarUpload((header_img) => mutateAsync({ header_img }));
  // Closing cancels the upload.
  const close = () => {
    upload.cancel();
    onClose();
  };
  const isStock = variables?.header_img?.startsWith("avatar/");
  return (
    <Sheet title={text("info.chooseAvatar")} isOpen={isOpen} onClose={close}>
      <OwnPicture upload={upload} />
      <h3 className="pt-2 text-sm font-semibold text-muted">{text("upload.stock")}</h3>
      <Refusal>{error && isStock ? failure(error) : undefined}</Refusal>
      <div className={`grid grid-cols-5 gap-2 py-2 ${isPending ? "animate-wait" : ""}`} aria-busy={isPending}>
        {Array.from({ length: total }, (_, place) => (
          <Choice
            key={place}
            number={place + 1}
            isChosen={user.header_img === `avatar/${place + 1}`}
            onChoose={(header_img) => isPending || mutate({ header_img })}
          />
        ))}
      </div>
    </Sheet>
  );
}

interface ChoiceProps {
  number: number;
  isChosen: boolean;
  onChoose: (image: string) => void;
}

function Choice({ number, isChosen, onChoose }: ChoiceProps) {
  const text = useText();
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={text("info.avatarNumber", { number })}
      onClick={() => onChoose(`avatar/${number}`)}
      className={`grid min-h-16 place-items-center rounded-md border-2 ${isChosen ? "border-brand-text bg-brand-soft" : "border-line"}`}
    >
      <StockAvatar number={number} size={48} />
    </button>
  );
}
