// The offline shell: pages and icons come from the network, or offline from the last cached ones. Server answers are never cached.
const SHELL = "trio-shell-1";
const OWN = /^\/(api|socket\.io|docs|pay|healthz|readyz|metrics|check\.html)(\/|$)/;
const KEPT = /^\/assets\//;
const ICONS = /^\/icons\//;
const MOST_KEPT = 150;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(["/", "/icons/trio.svg"]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const clear = (names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(clear)
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || OWN.test(pathname)) return;
  if (request.mode === "navigate") event.respondWith(freshPage(request));
  else if (KEPT.test(pathname)) event.respondWith(keptFile(request));
  else if (ICONS.test(pathname)) event.respondWith(freshIcon(request));
});

async function freshPage(request) {
  const cache = await caches.open(SHELL);
  try {
    const page = await fetch(request);
    // A picture or file opened directly is not an app page.
    const isApp = page.ok && page.headers.get("content-type")?.startsWith("text/html");
    if (isApp) await cache.put("/", page.clone());
    return page;
  } catch {
    return (await cache.match("/")) ?? Response.error();
  }
}

async function freshIcon(request) {
  const cache = await caches.open(SHELL);
  try {
    const icon = await fetch(request);
    if (icon.ok) await cache.put(request, icon.clone());
    return icon;
  } catch {
    return (await cache.match(request)) ?? Response.error();
  }
}

// Asset names carry a hash of their content, so a cached asset never becomes stale.
async function keptFile(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const file = await fetch(request);
  if (file.ok) {
    await cache.put(request, file.clone());
    await forgetOldest(cache);
  }
  return file;
}

// Removes the oldest assets beyond the limit, which older versions of the app left behind.
async function forgetOldest(cache) {
  const kept = await cache.keys();
  const oldest = kept.filter(({ url }) => KEPT.test(new URL(url).pathname)).slice(0, -MOST_KEPT);
  await Promise.all(oldest.map((request) => cache.delete(request)));
}

// Shows what the site sent: text, and where it leads. A later one of the same tag takes its place.
self.addEventListener("push", (event) => {
  const { title, body, path, tag, lang } = event.data.json();
  const look = { icon: "/icons/trio-192.png", badge: "/icons/badge-96.png" };
  event.waitUntil(self.registration.showNotification(title, { ...look, body, tag, lang, data: { path } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openScreen(event.notification.data.path));
});

// The app that is open goes there itself, without loading again.
async function openScreen(path) {
  const { origin } = self.location;
  const { href } = new URL(path, origin);
  if (new URL(href).origin !== origin) return;
  const windows = await self.clients.matchAll({ type: "window" });
  const open = windows.find(({ url }) => !OWN.test(new URL(url).pathname));
  if (!open) await self.clients.openWindow(href);
  open?.postMessage({ path });
  await open?.focus();
}
