import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { concatBytes } from "@noble/hashes/utils.js";
import { keyText, noteText, type Signer } from "#shared/log/note.ts";
import { consistencyOf, proofOf, rootOf, type Head } from "#shared/log/tree.ts";
import { bundleOf, entriesPath, newTilesOf, parseTilePath, tilePath, WIDTH } from "#shared/log/tiles.ts";
import { leafHash, MerkleTree, type Subtree } from "#shared/merkle.ts";
import { headNote, serverHash } from "../log/world.ts";

const nameOf = ({ level, index }: Subtree) => `${level}/${index}`;

/** A log in memory, with its files as a site serves them. */
export class MemoryLog {
  readonly signer: Signer;
  readonly entries: Uint8Array[] = [];
  readonly #tree = new MerkleTree(serverHash);
  readonly #subtrees = new Map<string, Uint8Array>();
  /** Served in place of the true files. */
  readonly changed = new Map<string, Uint8Array | null>();

  constructor(signer: Signer) {
    this.signer = signer;
  }

  add(...entries: Uint8Array[]): this {
    for (const entry of entries) {
      this.entries.push(entry);
      this.#tree.add(leafHash(entry, serverHash), (subtree, hash) => this.#subtrees.set(nameOf(subtree), hash));
    }
    return this;
  }

  readonly read = (subtree: Subtree): Uint8Array => this.#subtrees.get(nameOf(subtree))!;

  head(size = this.entries.length): Head {
    return { size, root: rootOf(size, this.read, serverHash) };
  }

  note(size = this.entries.length): string {
    return noteText(headNote(this.head(size), this.signer));
  }

  proof(older: number, size = this.entries.length): Uint8Array[] {
    return proofOf(consistencyOf(older, size), this.read, serverHash);
  }

  /** A file below the log's address; null if there is none. */
  file(path: string): Uint8Array | null {
    const changed = this.changed.get(path);
    if (changed !== undefined) return changed;
    if (path === "checkpoint") return new TextEncoder().encode(this.note());
    if (path === "key") return new TextEncoder().encode(`${keyText(this.signer.key)}\n`);
    const tile = parseTilePath(path);
    if (!tile) return null;
    const from = tile.index * WIDTH;
    if (tile.level === "entries") {
      const entries = this.entries.slice(from, from + tile.width);
      return entries.length === tile.width ? bundleOf(entries) : null;
    }
    const level = tile.level * 8;
    const hashes = Array.from({ length: tile.width }, (_, i) => this.#subtrees.get(nameOf({ level, index: from + i })));
    return hashes.every((hash) => hash !== undefined) ? concatBytes(...hashes) : null;
  }

  /** The paths of all files of the log as it is. */
  paths(): string[] {
    const tiles = newTilesOf(0, this.entries.length);
    const bundles = tiles.filter(({ level }) => level === 0).map(entriesPath);
    return ["checkpoint", "key", ...tiles.map(tilePath), ...bundles];
  }

  async save(folder: string): Promise<void> {
    for (const path of this.paths()) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      const content = this.file(path);
      if (content) await writeFile(file, content);
    }
  }
}

/** A site that serves a log, and nothing else that it is not told to. */
export class LogSite {
  readonly #server: Server;
  readonly asked: string[] = [];
  log: MemoryLog;
  /** What it answers beside the log, by the paths. */
  readonly answers = new Map<string, Uint8Array>();
  /** Whether it hangs up at a path, which it was asked for so often now. */
  isBroken = (_path: string, _times: number): boolean => false;

  private constructor(log: MemoryLog) {
    this.log = log;
    this.#server = createServer((request, response) => {
      const path = (request.url ?? "").replace(/^\/log\//, "");
      this.asked.push(path);
      if (this.isBroken(path, this.asked.filter((one) => one === path).length)) {
        request.socket.destroy();
        return;
      }
      const content = this.answers.get(path) ?? this.log.file(path);
      response.writeHead(content ? 200 : 404).end(content ?? "none");
    });
  }

  static async listen(log: MemoryLog): Promise<LogSite> {
    const site = new LogSite(log);
    site.#server.listen(0, "127.0.0.1");
    await once(site.#server, "listening");
    return site;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
