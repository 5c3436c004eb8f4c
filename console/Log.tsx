import { useQuery } from "@tanstack/react-query";
import { look } from "./api.ts";
import { Table } from "./Shown.tsx";

type Act = Record<"at" | "who" | "host" | "command" | "words" | "reason" | "outcome" | "why", unknown> & {
  operatorId: number | null;
};

export function Log() {
  const { data, error } = useQuery({
    queryKey: ["log"],
    queryFn: async () => (await look<Act[]>("operators:log")).json,
    staleTime: 0,
  });
  const rows = data?.map(({ at, who, operatorId, host, command, words, reason, outcome, why }) => ({
    at,
    who: operatorId === null ? `${String(who)} (shell)` : who,
    from: host,
    command,
    words,
    reason,
    outcome,
    why,
  }));
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      {rows && (rows.length > 0 ? <Table rows={rows} /> : <p>No operator did anything yet.</p>)}
    </>
  );
}
