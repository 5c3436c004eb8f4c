import type { RequestOptions } from "./contract/passkeys.ts";

// What the operators' console and its page say to one another.

/** The header of what the page asks by itself, while nobody is at it: that keeps no session alive. */
export const UNATTENDED = "x-unattended";

/** A word of a usage line. */
export interface Field {
  name: string;
  isOption: boolean;
  isRequired: boolean;
  kind: "line" | "text" | "number" | "file" | "captions" | "folder" | "made" | "choice" | "local";
  least?: number;
  most?: number;
  /** The only value of a choice. */
  value?: string;
}

/** A field of a form. */
export interface LabelledField extends Field {
  label: string;
}

/** A file that a command made, to be fetched by its id. */
export interface MadeFile {
  id: string;
  name: string;
}

/** A command as the console's page shows it. */
export interface Offered {
  name: string;
  does: string;
  more: string;
  fields: LabelledField[];
  /** It asks for a fresh proof. */
  hurts: boolean;
  reads: boolean;
}

/** A command as the page gives it. Files go by their ids. */
export interface Given {
  name: string;
  args: Record<string, string>;
  options: Record<string, string>;
  secret?: string | undefined;
  /** A passkey's answer, as JSON. */
  proof?: string | undefined;
}

/** How it went: done, refused with a reason, or something is still asked for. */
export type Answer =
  | { done: { text: string; json: unknown; bad?: boolean }; files: MadeFile[] }
  | { refused: string }
  | { asks: string }
  | { prove: RequestOptions };

/** Who is signed in, and what they may do. */
export interface Me {
  name: string;
  roles: string[];
  commands: Offered[];
  /** Commands that they may give in the shell alone. */
  ofShell: { name: string; usage: string; does: string; more: string }[];
}
