import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { headers, openEnvelope, take } from "#client/api/call.ts";
import { LostCall } from "#client/api/call-error.ts";
import { FailedNote } from "#client/components/Notes.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { readStored } from "#client/storage/local-storage.ts";
import { supportPicture } from "#shared/contract/support.ts";

/** A picture of the conversation. It is fetched with the session: its address alone gives nothing. */
export function SentPicture({ id, alt }: { id: string; alt: string }) {
  const { data, isError, error, refetch } = useQuery({
    queryKey: [supportPicture.path, id],
    queryFn: ({ signal }) => fetchPicture(id, signal),
    staleTime: Infinity,
  });
  const address = useAddress(data);
  if (isError && !data) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (address === null) return <Skeleton className="h-48 w-64 max-w-full" />;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      <img src={address} alt={alt} className="h-48 w-auto max-w-full min-w-24 bg-sunken object-contain" />
    </a>
  );
}

async function fetchPicture(id: string, signal: AbortSignal): Promise<Blob> {
  const token = readStored("token");
  const response = await fetch(`/api${supportPicture.path}?id=${id}`, { headers: headers(token), signal });
  if (response.headers.get("content-type")?.startsWith("image/")) return response.blob();
  take(openEnvelope(await response.json()), token);
  throw new LostCall("no picture");
}

/** The address of a blob on this page, for as long as it is shown. */
function useAddress(blob: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
