import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Me } from "#shared/console.ts";
import { look } from "./api.ts";
import { CommandForm } from "./CommandForm.tsx";
import { Finder } from "./Finder.tsx";
import { Json } from "./Shown.tsx";

interface Row {
  username: string;
  money: string;
  status: number;
}

export function Members({ me, name }: { me: Me; name: string | undefined }) {
  const { data = [], error } = useQuery({
    queryKey: ["members"],
    queryFn: async () => (await look<Row[]>("member:list")).json,
  });
  const choices = data.map(({ username, money, status }) => ({
    name: username,
    about: `${money}${status ? "" : ", locked"}`,
    words: username,
  }));
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      <Finder page="members" choices={choices} chosen={name}>
        {name !== undefined && <Member key={name} me={me} name={name} />}
      </Finder>
    </>
  );
}

/** What `member:show` shows, and every command that begins with the member's name. */
function Member({ me, name }: { me: Me; name: string }) {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ["before", name],
    queryFn: async () => (await look("member:show", { NAME: name })).json,
  });
  const own = me.commands.filter(
    (one) => one.name.startsWith("member:") && one.fields[0]?.name === "NAME" && !/:(add|show)$/.test(one.name),
  );
  return (
    <section className="case" aria-label={name}>
      <h2>{name}</h2>
      {error && <p role="alert">{error.message}</p>}
      {data !== undefined && <Json value={data} />}
      {own.map((command) => (
        <details key={command.name}>
          <summary>{command.name}</summary>
          <CommandForm command={command} known={{ NAME: name }} onDone={() => void client.invalidateQueries()} />
        </details>
      ))}
    </section>
  );
}
