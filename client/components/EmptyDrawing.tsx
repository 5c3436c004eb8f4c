import { lazy, Suspense } from "react";
import type { DrawingName } from "./DrawingLines.tsx";

/** Most visits see none of them. A drawing that does not load leaves its ground. */
const DrawingLines = lazy(() => import("./DrawingLines.tsx").catch(() => ({ default: () => null })));

/** The house's own drawing for an empty screen, in the theme's colours; it says nothing that the text beside it does not. */
export function EmptyDrawing({ name }: { name: DrawingName }) {
  return (
    <svg
      viewBox="0 0 96 80"
      strokeWidth={2.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      data-drawing={name}
      className="h-24 w-auto"
    >
      <circle cx={48} cy={40} r={38} className="fill-brand-soft" />
      <Suspense>
        <DrawingLines name={name} />
      </Suspense>
    </svg>
  );
}
