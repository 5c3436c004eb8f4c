import { Skeleton } from "#client/components/Skeleton.tsx";

/** A placeholder for a listing that is still loading. */
export function DetailSkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-4">
      <Skeleton className="-mx-4 -mt-4 aspect-3/4 max-h-[56dvh] rounded-none!" />
      <Skeleton className="h-15" />
      <Skeleton className="h-48" />
    </div>
  );
}
