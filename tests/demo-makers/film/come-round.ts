import { BLEND_S, FPS, type Painter, type Scene } from "./clip.ts";
import { develop, type Surface } from "./surface.ts";
import { RATE, type Tape } from "./tape.ts";

/** The pictures of a scene in their turn: its last second turns into what was there before its first picture. */
export function* framesOf(s: Surface, paint: Painter, { from, seconds }: Scene): Generator<Buffer> {
  const before: Buffer[] = [];
  const last = (from + seconds) * FPS;
  const blendFrom = last - BLEND_S * FPS;
  for (let frame = 0; frame < last; frame++) {
    paint(frame / FPS);
    if (frame < (from - BLEND_S) * FPS) continue;
    const bytes = Buffer.allocUnsafe(s.px.length);
    develop(s, bytes);
    if (frame < from * FPS) before.push(bytes);
    else
      yield frame < blendFrom ? bytes : blend(bytes, before[frame - blendFrom]!, (frame - blendFrom) / before.length);
  }
}

/** `share` of the second picture over the first. */
function blend(bytes: Buffer, over: Buffer, share: number): Buffer {
  for (let i = 0; i < bytes.length; i++) bytes[i] = bytes[i]! + (over[i]! - bytes[i]!) * share + 0.5;
  return bytes;
}

/** The same for the sound of a scene, as loud in the middle of the turn as elsewhere. */
export function soundOf({ left, right }: Tape, { from, seconds }: Scene): Tape {
  const [first, count, turn] = [from, seconds, BLEND_S].map((s) => Math.round(s * RATE)) as [number, number, number];
  const cut = (channel: Float32Array) => {
    const part = channel.slice(first, first + count);
    for (let i = 0; i < turn; i++) {
      const angle = ((i / turn) * Math.PI) / 2;
      const at = count - turn + i;
      part[at] = part[at]! * Math.cos(angle) + channel[first - turn + i]! * Math.sin(angle);
    }
    return part;
  };
  return { left: cut(left), right: cut(right) };
}
