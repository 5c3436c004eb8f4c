import { Skeleton, SkeletonRows } from "./Skeleton.tsx";

/** A placeholder for a screen that is still loading. The page itself shows the same until the app is there (index.html). */
export function ScreenSkeleton() {
  return (
    <div className="flex min-h-dvh flex-col" aria-busy>
      <div className="flex min-h-16.5 items-center border-b border-line px-4 pt-[env(safe-area-inset-top)]">
        <img src="/icons/trio.svg" alt="" width={36} height={36} className="size-9 rounded-sm" />
      </div>
      <div className="flex flex-col gap-4 p-4">
        <Skeleton className="h-40" />
        <SkeletonRows rows={4} />
      </div>
    </div>
  );
}
