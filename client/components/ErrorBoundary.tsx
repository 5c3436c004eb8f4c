import { Component, type ReactNode } from "react";
import { text } from "#client/text/i18n.ts";
import { MissingChunk, reloadWhenBack } from "#client/app/missing-chunk.ts";
import { Button } from "./Button.tsx";

interface State {
  failed: boolean;
  error?: unknown;
}

/** Catches a screen's errors and offers a reload. A missing chunk reloads once the server answers. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };
  #stopWaiting = () => {};

  static getDerivedStateFromError(error: unknown): State {
    return { failed: true, error };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
    if (error instanceof MissingChunk) this.#stopWaiting = reloadWhenBack();
  }

  override componentWillUnmount(): void {
    this.#stopWaiting();
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const isMissing = this.state.error instanceof MissingChunk;
    return (
      <main role="alert" className="flex min-h-dvh flex-col items-center justify-center gap-4 p-6 text-center">
        <h1 className="text-lg font-semibold">{text(isMissing ? "state.away" : "state.broken")}</h1>
        {!isMissing && <p className="text-muted">{text("state.brokenHint")}</p>}
        <Button onClick={() => window.location.reload()}>{text("action.reload")}</Button>
      </main>
    );
  }
}
