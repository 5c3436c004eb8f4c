import type { ReactNode } from "react";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import type { UserInfo } from "#shared/contract/session.ts";

interface Props {
  title: string;
  /** The number of placeholder rows. */
  rows: number;
  children: (user: UserInfo) => ReactNode;
}

/** A screen about the member: placeholder rows while it loads, and the reason when it fails. */
export function UserScreen({ title, rows, children }: Props) {
  const { data: user, isError, error, refetch } = useUser();
  if (user) return <Screen title={title}>{children(user)}</Screen>;
  return (
    <Screen title={title}>
      {isError ? <FailedNote error={error} onRetry={() => void refetch()} /> : <Waiting rows={rows} />}
    </Screen>
  );
}

function Waiting({ rows }: { rows: number }) {
  return (
    <div className="flex flex-col gap-3" aria-busy>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className="h-13" />
      ))}
    </div>
  );
}
