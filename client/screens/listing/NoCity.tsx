import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { useText } from "#client/text/use-text.ts";

/** No city has listings yet: where those of all cities stand. */
export function NoCity() {
  const text = useText();
  return (
    <EmptyNote drawing="cities" title={text("city.none")}>
      <ButtonLink look="quiet" to="/nHomeList">
        {text("listing.title")}
      </ButtonLink>
    </EmptyNote>
  );
}
