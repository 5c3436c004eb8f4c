import { noteText } from "#shared/log/note.ts";
import { bytes, headNote, sha256, signerOf } from "../../log/world.ts";

const signer = signerOf("house.example/log");

/** A signed head of that many leaves. */
export const noteAt = (size: number): string =>
  noteText(headNote({ size, root: sha256(bytes(`root ${size}`)) }, signer));
