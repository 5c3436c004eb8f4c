import type { ServerEvents } from "#shared/contract/events.ts";
import type { Hub, HubSocket } from "./socket.ts";

/** Sockets per batch before the event loop gets its chance. */
const BATCH_SIZE = 50;

/**
 * Emits an event whose JSON is ready, in the socket.io protocol (version 5): engine.io's message type 4, packet type 2,
 * and the array of name and value. A shared packet is serialized once and not searched for binary parts; websockets get
 * the finished frame in one piece.
 */
export function emitJson(socket: HubSocket, event: keyof ServerEvents, json: string): void {
  const packet = `2["${event}",${json}]`;
  sendPacket(socket, packet, frameOf(packet));
}

/** Emits to a whole room in batches, so that other requests do not wait for all of it. */
export async function emitToRoom(
  io: Hub,
  room: string,
  event: keyof ServerEvents,
  value: object,
  isMeant: (socket: HubSocket) => boolean = () => true,
): Promise<void> {
  const packet = `2["${event}",${JSON.stringify(value)}]`;
  const frame = frameOf(packet);
  await inBatches(io.sockets.adapter.rooms.get(room) ?? [], (id) => {
    const socket = io.sockets.sockets.get(id);
    if (socket && isMeant(socket)) sendPacket(socket, packet, frame);
  });
}

/** Goes through many items in batches, yielding to the event loop in between. */
export async function inBatches<T>(many: Iterable<T>, each: (one: T) => void): Promise<void> {
  let done = 0;
  for (const one of Array.from(many)) {
    each(one);
    if (++done % BATCH_SIZE === 0) await new Promise(setImmediate);
  }
}

/** engine.io's own option for finished frames; polling connections ignore it and send the packet. */
type SendOptions = { compress: boolean; wsPreEncodedFrame: Buffer[] };

function sendPacket({ conn }: HubSocket, packet: string, frame: Buffer): void {
  const options: SendOptions = { compress: false, wsPreEncodedFrame: [frame] };
  conn.send(packet, options);
}

/** An unmasked, final text frame (RFC 6455, section 5.2) with engine.io's message type before the packet. */
function frameOf(packet: string): Buffer {
  const length = Buffer.byteLength(packet) + 1;
  const headLength = length < 126 ? 2 : length <= 65_535 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = 0x81;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(`4${packet}`, headLength);
  return frame;
}
