import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { RefusedCall } from "#client/api/call-error.ts";
import { sendFile } from "#client/api/send-file.ts";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { uploadImage } from "#shared/contract/member.ts";
import { MOST_PICTURE_BYTES, PICTURE_TYPES } from "#shared/picture.ts";

/** A file that was chosen, with all that became of it. */
interface Chosen {
  file: File;
  /** Where the browser shows it. */
  address: string;
  /** However often it is sent, it is brought once. */
  key: string;
  /** Where the server keeps it, once it does. */
  path?: string;
}

type Fault = "tooLarge" | "wrongKind";

/** What can be told of a file before it is sent. A browser that does not know its kind leaves that to the server. */
export function faultOf({ type, size }: Pick<File, "type" | "size">): Fault | null {
  if (type !== "" && !PICTURE_TYPES.some((taken) => taken === type)) return "wrongKind";
  return size > MOST_PICTURE_BYTES ? "tooLarge" : null;
}

/** Sends a file, unless the server has it, and says where it is kept. */
async function bring(one: Chosen, signal: AbortSignal, onProgress: (sent: number) => void): Promise<string> {
  one.path ??= await sendFile(uploadImage, one.file, { key: one.key, signal, onProgress });
  signal.throwIfAborted();
  return one.path;
}

/**
 * A picture of the member's own: chosen, looked at, sent and then used as their avatar by `save`. What was chosen
 * stays until it is used or another is chosen, whatever goes wrong.
 */
export function useAvatarUpload(save: (path: string) => Promise<unknown>) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [sent, setSent] = useState(0);
  const begun = useRef<AbortController>(null);
  const { mutate, reset, isPending, error } = useMutation({
    networkMode: "always",
    mutationFn: async (one: Chosen) => {
      begun.current = new AbortController();
      setSent(0);
      await save(await bring(one, begun.current.signal, setSent));
    },
    // A path that was refused is brought anew.
    onError: (error, one) => {
      if (error instanceof RefusedCall && !error.lost)
        Object.assign(one, { path: undefined, key: newIdempotencyKey() });
    },
    // Another may have been chosen while this one was being used.
    onSuccess: (_, one) => setChosen((now) => (now === one ? null : now)),
  });

  const cancel = () => {
    begun.current?.abort();
    reset();
  };
  useEffect(() => () => begun.current?.abort(), []);
  useEffect(() => () => void (chosen && URL.revokeObjectURL(chosen.address)), [chosen]);
  return {
    chosen,
    fault,
    sent,
    isSending: isPending,
    error,
    cancel,
    send: () => chosen && !isPending && mutate(chosen),
    choose: (file: File) => {
      cancel();
      setFault(faultOf(file));
      if (!faultOf(file)) setChosen({ file, address: URL.createObjectURL(file), key: newIdempotencyKey() });
    },
  };
}

export type AvatarUpload = ReturnType<typeof useAvatarUpload>;
