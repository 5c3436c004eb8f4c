import { Skeleton } from "#client/components/Skeleton.tsx";

/** Placeholders for tiles that are still loading. */
export function TileSkeletons() {
  return (
    <div aria-busy className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {Array.from({ length: 10 }, (_, place) => (
        <Skeleton key={place} className="aspect-square" />
      ))}
    </div>
  );
}
