import { useState, type FormEvent } from "react";

/** Does one thing at a time, and keeps the reason why it failed until the next. */
export function useWork() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const work = async (task: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setFailure("");
    try {
      await task();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  /** The same, as a form's `onSubmit`. */
  const submits = (task: () => Promise<void>) => (event: FormEvent) => {
    event.preventDefault();
    void work(task);
  };
  return { isBusy, failure, work, submits };
}
