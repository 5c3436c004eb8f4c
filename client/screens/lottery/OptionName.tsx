/** Words, then a word and its number: a line may end before both, never between. */
const NUMBERED = /^(.*?)(\S+\s\d+)$/;

/** The name of an option, whose number stays beside its word. */
export function OptionName({ name }: { name: string }) {
  const [, words, numbered] = NUMBERED.exec(name) ?? [];
  if (!numbered) return name;
  return (
    <>
      {words}
      <span className="whitespace-nowrap">{numbered}</span>
    </>
  );
}
