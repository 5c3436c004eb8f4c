/** Words, then a word and its number: a row breaks before both, and between them only where they are wider than it. */
const NUMBERED = /^(.*?)(\S+\s\d+)$/;

/** An option's name, with its number kept beside its word. */
export function OptionName({ name }: { name: string }) {
  const [, words, numbered] = NUMBERED.exec(name) ?? [];
  if (!numbered) return name;
  return (
    <>
      {words}
      <span className="inline-block">{numbered}</span>
    </>
  );
}
