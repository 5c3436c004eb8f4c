import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { RefusedCall } from "#client/api/call-error.ts";
import { sendFile } from "#client/api/send-file.ts";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { uploadImage } from "#shared/contract/member.ts";
import { MOST_PICTURE_BYTES, PICTURE_TYPES } from "#shared/picture.ts";

/** A chosen file and the state of its upload. */
interface Chosen {
  file: File;
  /** The object URL of the preview. */
  address: string;
  /** The idempotency key: retries store the file only once. */
  key: string;
  /** The stored path on the server, once uploaded. */
  path?: string;
}

type Fault = "tooLarge" | "wrongKind";

/** Checks a file before upload. If the browser does not know its type, the server decides. */
export function faultOf({ type, size }: Pick<File, "type" | "size">): Fault | null {
  if (type !== "" && !PICTURE_TYPES.some((taken) => taken === type)) return "wrongKind";
  return size > MOST_PICTURE_BYTES ? "tooLarge" : null;
}

/** Uploads a file unless the server already has it, and returns its path. */
async function bring(one: Chosen, signal: AbortSignal, onProgress: (sent: number) => void): Promise<string> {
  one.path ??= await sendFile(uploadImage, one.file, { key: one.key, signal, onProgress });
  signal.throwIfAborted();
  return one.path;
}

/**
 * The member's own picture: chosen, previewed, uploaded and then set as avatar by `save`. The chosen file stays, even
 * after errors, until it is set or another is chosen.
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
    // A refused path is uploaded again under a new idempotency key.
    onError: (error, one) => {
      if (error instanceof RefusedCall && !error.lost)
        Object.assign(one, { path: undefined, key: newIdempotencyKey() });
    },
    // The member may have chosen another file meanwhile.
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
