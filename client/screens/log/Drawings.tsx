import type { ReactNode } from "react";
import { Card } from "#client/components/Card.tsx";
import { useText } from "#client/text/use-text.ts";

/** What a hash chain is, drawn: from the last number, fingerprint by fingerprint, to the one that is public first. */
export function ChainDrawing() {
  const text = useText();
  return (
    <Explained
      title={text("watch.chainTitle")}
      steps={[text("watch.chain1"), text("watch.chain2"), text("watch.chain3")]}
    >
      <Frame>
        {[0, 1, 2, 3].map((link) => (
          <g key={link} transform={`translate(${link * 78} 0)`}>
            <rect
              x="4"
              y="22"
              width="46"
              height="40"
              rx="8"
              className={link === 3 ? "fill-jade-soft stroke-jade" : "fill-sunken stroke-edge"}
              strokeWidth="2"
            />
            <Prints x={13} y={32} count={link === 0 ? 0 : 3} />
            {link === 0 && <Lock x={27} y={42} />}
            {link < 3 && <Arrow x={54} y={42} />}
          </g>
        ))}
        <path
          d="M261 84c-30 22 -190 22 -226 2m0 0l10 -4m-10 4l4 10"
          className="stroke-brand-text"
          strokeWidth="2"
          fill="none"
        />
      </Frame>
    </Explained>
  );
}

/** What a log is, drawn: a book that grows, and a sealed fingerprint of each of its states. */
export function LogDrawing() {
  const text = useText();
  return (
    <Explained title={text("watch.logTitle")} steps={[text("watch.log1"), text("watch.log2"), text("watch.log3")]}>
      <Frame>
        {[2, 4, 6].map((lines, state) => (
          <g key={lines} transform={`translate(${state * 104} 0)`}>
            <rect x="4" y="6" width="58" height="82" rx="6" className="fill-sunken stroke-edge" strokeWidth="2" />
            {Array.from({ length: lines }, (_, line) => (
              <path
                key={line}
                d={`M13 ${19 + line * 11}h40`}
                className={line >= lines - 2 ? "stroke-brand-text" : "stroke-muted"}
                strokeWidth="3"
              />
            ))}
            <circle cx="62" cy="88" r="13" className="fill-jade-soft stroke-jade" strokeWidth="2" />
            <path d="M56 88l4 4l8 -8" className="stroke-jade" strokeWidth="2.5" fill="none" />
            {state < 2 && <Arrow x={76} y={44} />}
          </g>
        ))}
      </Frame>
    </Explained>
  );
}

interface Explanation {
  title: string;
  steps: readonly string[];
  children: ReactNode;
}

function Explained({ title, steps, children }: Explanation) {
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">{title}</h2>
      {children}
      <ol className="flex list-decimal flex-col gap-2 ps-5 text-sm marker:text-brand-text">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Card>
  );
}

const Frame = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 300 108" aria-hidden className="mx-auto w-full max-w-100">
    {children}
  </svg>
);

const Arrow = ({ x, y }: { x: number; y: number }) => (
  <path d={`M${x} ${y}h18m0 0l-6 -6m6 6l-6 6`} className="stroke-muted" strokeWidth="2" fill="none" />
);

const Prints = ({ x, y, count }: { x: number; y: number; count: number }) =>
  Array.from({ length: count }, (_, line) => (
    <path key={line} d={`M${x} ${y + line * 10}q7 -7 14 0t14 0`} className="stroke-ink" strokeWidth="2" fill="none" />
  ));

const Lock = ({ x, y }: { x: number; y: number }) => (
  <g className="stroke-brand-text" strokeWidth="2" fill="none">
    <rect x={x - 9} y={y - 3} width="18" height="13" rx="3" />
    <path d={`M${x - 5} ${y - 3}v-4a5 5 0 0 1 10 0v4`} />
  </g>
);
