import { Component, type ReactNode } from "react";
import { text } from "#client/i18n.ts";
import { Button } from "./Button.tsx";

interface State {
  failed: boolean;
}

/** Whatever breaks on a screen ends here, with a way on; a new version of the app is the usual cause. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <main role="alert" className="flex min-h-dvh flex-col items-center justify-center gap-4 p-6 text-center">
        <h1 className="text-lg font-semibold">{text("state.broken")}</h1>
        <p className="text-muted">{text("state.brokenHint")}</p>
        <Button onClick={() => window.location.reload()}>{text("action.reload")}</Button>
      </main>
    );
  }
}
