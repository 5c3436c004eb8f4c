const ROUND = /(\d{8}-\d{4})/;

/** A text whose round numbers stay in one line: a browser breaks one at its hyphen. */
export function KeptRounds({ text }: { text: string }) {
  return text.split(ROUND).map((part, place) =>
    ROUND.test(part) ? (
      <span key={place} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
