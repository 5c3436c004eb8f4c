import { Skeleton, SkeletonRows } from "./Skeleton.tsx";

/** A placeholder for a screen that is still loading. */
export function ScreenSkeleton() {
  return (
    <div className="flex flex-col gap-4 p-4" aria-busy>
      <Skeleton className="h-10" />
      <Skeleton className="h-40" />
      <SkeletonRows rows={4} />
    </div>
  );
}
