import { BELOW } from "#client/text/use-failure-text.ts";

/** A failure's text. A fault's reference stands below, small and whole: members copy it or read it out. */
export function FailureText({ children }: { children: string }) {
  const [why, reference] = children.split(BELOW);
  if (reference === undefined) return why;
  return (
    <>
      {why} <small className="mt-1 block text-xs wrap-anywhere select-text">{reference}</small>
    </>
  );
}
