import { useEffect, useState } from "react";

/** What a chosen file holds, once it is read; null without a file, and for one that is not what `read` knows. */
export function useReadFile<T>(file: File | null, read: (text: string) => T | null): T | null {
  const [held, setHeld] = useState<T | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const look = async () => {
      const text = file === null ? "" : await file.text();
      if (isCurrent) setHeld(read(text));
    };
    void look();
    return () => {
      isCurrent = false;
    };
  }, [file, read]);
  return held;
}
