import { useQueryClient } from "@tanstack/react-query";
import type { Me } from "#shared/console.ts";
import { CommandForm } from "./CommandForm.tsx";
import { Finder } from "./Finder.tsx";

/** Every command that the operator may give, those of the shell among them. */
export function Commands({ me, name }: { me: Me; name: string | undefined }) {
  const client = useQueryClient();
  const command = me.commands.find((one) => one.name === name);
  const ofShell = me.ofShell.find((one) => one.name === name);
  const choices = [...me.commands, ...me.ofShell].map((one) => ({
    name: one.name,
    about: one.does.split("\n")[0]!,
    words: `${one.name} ${one.does}`.toLowerCase(),
  }));
  return (
    <Finder page="commands" choices={choices} chosen={name}>
      {command && (
        <section className="case" aria-label={command.name}>
          <h2>{command.name}</h2>
          <CommandForm key={command.name} command={command} onDone={() => void client.invalidateQueries()} />
        </section>
      )}
      {ofShell && (
        <section className="case" aria-label={ofShell.name}>
          <h2>{ofShell.name}</h2>
          <p className="does">{ofShell.does}.</p>
          <p>Run it in a shell on the site’s machine, with the variables of its server:</p>
          <pre>{`npm run admin -- ${ofShell.name} ${ofShell.usage}`}</pre>
          {ofShell.more !== "" && <pre>{ofShell.more}</pre>}
        </section>
      )}
    </Finder>
  );
}
