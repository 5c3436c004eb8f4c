/** A placeholder for content that is still loading. */
export function Skeleton({ className = "h-20" }: { className?: string }) {
  return <div aria-hidden className={`animate-wait rounded-md bg-sunken ${className}`} />;
}

export function SkeletonRows({ rows = 5, className = "h-16" }: { rows?: number; className?: string }) {
  return (
    <div className="flex flex-col gap-3">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className={className} />
      ))}
    </div>
  );
}
