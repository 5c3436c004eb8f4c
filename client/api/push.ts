import { pushState, subscribePush, unsubscribePush, type PushKind } from "#shared/contract/push.ts";
import { call } from "./call.ts";

/** Whether this browser can be told while the app is closed, or why not. `install`: once it is on the home screen. */
export type PushSupport = "yes" | "denied" | "install" | "none";

export function pushSupport(): PushSupport {
  const hasAll = window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window;
  // On iPhones and iPads, only installed apps have it; their browsers alone have this property.
  if (!hasAll) return "standalone" in navigator && navigator.standalone === false ? "install" : "none";
  return Notification.permission === "denied" ? "denied" : "yes";
}

const registration = () => navigator.serviceWorker?.getRegistration();

/** Subscribes this device to these kinds; asks for permission where it is not given yet. Returns whether it was given. */
export async function turnOnPush(kinds: readonly PushKind[], key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const manager = (await registration())!.pushManager;
  const { endpoint, keys } = (await subscriptionOf(manager, key)).toJSON();
  await call(subscribePush, { endpoint: endpoint!, p256dh: keys!.p256dh!, auth: keys!.auth!, kinds: kinds.join(",") });
  return true;
}

/** A subscription under another key, such as that of a site before it moved, is of no use: it is made anew. */
async function subscriptionOf(manager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const old = await manager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe();
    return manager.subscribe(options);
  }
}

export async function turnOffPush(): Promise<void> {
  await call(unsubscribePush);
  await dropPush();
}

/** Ends the browser's own subscription; the server's ends with the session. */
export async function dropPush(): Promise<void> {
  await (await (await registration())?.pushManager?.getSubscription())?.unsubscribe();
}

/** Tells the server the device's language and address anew, if it is subscribed: browsers change the address at times. */
export async function renewPush(): Promise<void> {
  if (pushSupport() !== "yes" || Notification.permission !== "granted") return;
  const { key, kinds } = await call(pushState);
  if (kinds.length > 0) await turnOnPush(kinds, key);
}
