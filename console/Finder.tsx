import { useState, type ReactNode } from "react";

/** What can be chosen in a list. */
export interface Choice {
  name: string;
  about: string;
  /** What is searched, in small letters. */
  words: string;
}

interface Props {
  /** The page whose part an entry is, as in its address. */
  page: string;
  choices: readonly Choice[];
  chosen: string | undefined;
  /** What is shown of the chosen one. */
  children: ReactNode;
}

const MOST = 100;

/** A list with a field that finds its entries, and beside it the chosen one. */
export function Finder({ page, choices, chosen, children }: Props) {
  const [wanted, setWanted] = useState("");
  const found = choices.filter(({ words }) => words.includes(wanted.toLowerCase()));
  return (
    <div className="queue">
      <div>
        <label>
          Find
          <input type="search" value={wanted} onChange={({ target }) => setWanted(target.value)} />
        </label>
        <ul className="cases">
          {found.slice(0, MOST).map(({ name, about }) => (
            <li key={name}>
              <a href={`#/${page}/${name}`} aria-current={name === chosen ? "true" : undefined}>
                <b>{name}</b> <small>{about}</small>
              </a>
            </li>
          ))}
        </ul>
        {found.length > MOST && <p>{`${found.length - MOST} more: write a part of the name.`}</p>}
      </div>
      {children}
    </div>
  );
}
