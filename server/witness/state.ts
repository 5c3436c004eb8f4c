import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { writeDurably } from "#db/durable.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import type { EvidenceLog, ReplacedKey } from "#shared/log/evidence/file.ts";
import { COSIGNATURE_KEY, keyOf, keyText, parseKey, parseNote, type NoteKey, type Signer } from "#shared/log/note.ts";
import type { Head } from "#shared/log/tree.ts";

/** The key of a log, and those that it replaced. */
export interface LogKeys {
  key: NoteKey;
  retired?: readonly ReplacedKey[];
}

/** A log as the witness knows it: its keys, and the newest head that it signed. */
export interface KnownLog extends LogKeys {
  /** With the witness' own signature; null before the first. */
  note: string | null;
  app?: KnownApp;
}

/** The newest `app` leaf of a log and its number, as far as the entries were read. */
export interface KnownApp {
  size: number;
  leaf: string | null;
  place: number;
}

interface Written {
  privateKey: string;
  logs: { key: string; retired?: readonly ReplacedKey[]; note: string | null; app?: KnownApp }[];
}

/** What a witness must never forget: its own key, and by origin what it signed last. */
export class WitnessState {
  readonly #file: string;
  readonly #privateKey: KeyObject;
  readonly #logs: Map<string, KnownLog>;
  readonly signer: Signer;

  private constructor(file: string, privateKey: KeyObject, logs: Map<string, KnownLog>) {
    this.#file = file;
    this.#privateKey = privateKey;
    this.#logs = logs;
    const { x } = createPublicKey(privateKey).export({ format: "jwk" });
    const publicKey = new Uint8Array(Buffer.from(x!, "base64url"));
    const name = `trio-witness/${Buffer.from(publicKey).toString("hex", 0, 8)}`;
    this.signer = {
      key: keyOf(name, publicKey, COSIGNATURE_KEY),
      sign: (message) => new Uint8Array(sign(null, message, privateKey)),
    };
  }

  /** Reads the file, or makes a key and begins one. Throws for a damaged file: a witness that forgot would sign forks. */
  static async open(file: string): Promise<WitnessState> {
    if (existsSync(file)) return WitnessState.#read(file, await readFile(file, "utf8"));
    const state = new WitnessState(file, generateKeyPairSync("ed25519").privateKey, new Map());
    await state.#write(state.#logs);
    return state;
  }

  static #read(file: string, text: string): WitnessState {
    try {
      const { privateKey, logs } = JSON.parse(text) as Written;
      const known = logs.map(({ key, ...more }): [string, KnownLog] => {
        const parsed = parseKey(key)!;
        const { note } = more;
        if (note !== null && parseCheckpoint(parseNote(note)!.text)!.origin !== parsed.name) throw new Error(key);
        return [parsed.name, { key: parsed, ...more }];
      });
      return new WitnessState(file, createPrivateKey(privateKey), new Map(known));
    } catch (error) {
      throw new Error(`${file} is damaged. Put a copy of it back; a new one would not know what was signed.`, {
        cause: error,
      });
    }
  }

  get origins(): string[] {
    return [...this.#logs.keys()];
  }

  log(origin: string): KnownLog | undefined {
    return this.#logs.get(origin);
  }

  /** The newest head that was signed for a log; null before the first. */
  head(origin: string): Head | null {
    const note = this.#logs.get(origin)?.note;
    return note ? parseCheckpoint(parseNote(note)!.text) : null;
  }

  /** A log and its newest signed head, as a file of evidence names it. Undefined before the first. */
  kept(origin: string): EvidenceLog | undefined {
    const known = this.#logs.get(origin);
    if (!known || known.note === null) return undefined;
    const { key, retired, note } = known;
    return { origin, key: keyText(key), ...(retired && { retired }), first: note, newest: note, since: 0 };
  }

  /** Remembers a log's keys and newest head. Once this resolves, they survive a power cut. */
  async keep(origin: string, log: Omit<KnownLog, "app">): Promise<void> {
    await this.#keep(origin, { ...this.#logs.get(origin), ...log });
  }

  /** Remembers how far a log's entries were read, and what they name as the app. */
  async keepApp(origin: string, app: KnownApp): Promise<void> {
    await this.#keep(origin, { ...this.#logs.get(origin)!, app });
  }

  async #keep(origin: string, log: KnownLog): Promise<void> {
    await this.#write(new Map([...this.#logs, [origin, log]]));
    this.#logs.set(origin, log);
  }

  async #write(logs: Map<string, KnownLog>): Promise<void> {
    const written: Written = {
      privateKey: this.#privateKey.export({ format: "pem", type: "pkcs8" }),
      logs: [...logs.values()].map(({ key, ...more }) => ({ key: keyText(key), ...more })),
    };
    await writeDurably(this.#file, `${JSON.stringify(written, null, 2)}\n`);
  }
}
