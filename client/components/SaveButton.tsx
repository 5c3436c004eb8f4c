import { useQueryClient } from "@tanstack/react-query";
import { Bookmark } from "lucide-react";
import { Link } from "react-router";
import { showToast } from "#client/api/bus.ts";
import { changeAnswers } from "#client/api/change-answers.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { useSetting } from "#client/hooks/use-setting.ts";
import { useWanted } from "#client/hooks/use-wanted.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { ownListings, savedListingIds, saveListing } from "#shared/contract/listing.ts";
import { ownVideos, savedVideoIds, saveVideo } from "#shared/contract/video.ts";

const KINDS = {
  video: { ids: savedVideoIds, save: saveVideo, own: ownVideos },
  listing: { ids: savedListingIds, save: saveListing, own: ownListings },
} as const;

const LOOKS = {
  /** In the corner of a picture. */
  picture: { button: "absolute end-0 top-0 z-1", icon: "bg-stage/70 text-on-stage" },
  /** In the corner of a card. */
  card: { button: "absolute end-0 top-0 z-1", icon: "text-brand-text" },
  /** Among a screen's buttons. */
  bar: { button: "", icon: "text-brand-text" },
} as const;

interface Props {
  kind: keyof typeof KINDS;
  id: string;
  /** What is saved, for screen readers. */
  name: string;
  look?: keyof typeof LOOKS;
}

/** In a screen's bar: leads to what the member saved of its kind. */
export function SavedLink({ to }: { to: string }) {
  const text = useText();
  return (
    <Link to={to} aria-label={text("saved.title")} className="grid size-11 place-items-center">
      <Bookmark size={20} aria-hidden />
    </Link>
  );
}

/** Saves a video or a listing, or drops it. Guests have nothing to save to and do not see it. */
export function SaveButton(props: Props) {
  const isMember = useIsMember();
  // What is wanted of one thing is never sent for another.
  return isMember ? <Switch key={`${props.kind} ${props.id}`} {...props} /> : null;
}

function Switch({ kind, id, name, look = "bar" }: Props) {
  const text = useText();
  const { isSaved, isKnown, toggle } = useSaved(kind, id);
  return (
    <button
      type="button"
      aria-pressed={isSaved}
      aria-label={text("saved.save", { name })}
      disabled={!isKnown}
      onClick={toggle}
      className={`grid size-11 shrink-0 place-items-center rounded-full ${LOOKS[look].button}`}
    >
      <span className={`grid size-8 place-items-center rounded-full ${LOOKS[look].icon}`}>
        <Bookmark size={18} aria-hidden className={isSaved ? "fill-current" : ""} />
      </span>
    </button>
  );
}

function useSaved(kind: Props["kind"], id: string) {
  const text = useText();
  const failure = useFailureText();
  const client = useQueryClient();
  const { ids, save, own } = KINDS[kind];
  const saved = useEndpoint(ids, {}, { staleTime: Infinity });
  const onDone = (_: unknown, { on }: { on?: string | undefined }) => {
    changeAnswers<string[]>(client, { queryKey: [ids.path] }, (known) => {
      const others = known.filter((one) => one !== id);
      return on === "1" ? [id, ...others] : others;
    });
    void client.invalidateQueries({ queryKey: [own.path] });
    showToast(text(on === "1" ? "saved.done" : "saved.dropped"), "good");
  };
  const { mutateAsync } = useSetting(save, onDone, () => client.invalidateQueries({ queryKey: [ids.path] }));
  const onError = (error: Error) => showToast(failure(error), "bad");
  const { wanted, want } = useWanted((isOn: boolean) => mutateAsync({ id, on: isOn ? "1" : "0" }, { onError }));
  const isSaved = wanted ?? saved.data?.includes(id) ?? false;
  return { isSaved, isKnown: saved.data !== undefined, toggle: () => want(!isSaved) };
}
