// The offline shell: pages come from the network, or offline from the last cached one. Server answers are never cached.
const SHELL = "trio-shell-1";
const OWN = /^\/(api|socket\.io|docs|pay|healthz|readyz|metrics|check\.html)(\/|$)/;
const KEPT = /^\/assets\//;
const MOST_KEPT = 150;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.add("/"))
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
