// Shows /dashboard/offline for a page of the dashboard that cannot be loaded. It keeps only that page and the files that it loads,
// which are the same for everybody. Answers of the API are never kept. The build writes VERSION and FILES before this
// (scripts/integrations/offline-page.ts).

const [PAGE] = FILES

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(FILES))
      .then(() => skipWaiting()),
  )
})

addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      caches.keys().then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)))),
      // The browser asks for the page while this script starts.
      registration.navigationPreload?.enable(),
    ]),
  )
})

addEventListener('fetch', (event) => {
  const { mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (origin !== location.origin) return
  if (mode === 'navigate' && pathname.startsWith('/dashboard/')) event.respondWith(loadPage(event))
  else if (pathname.startsWith('/_astro/') && FILES.includes(pathname)) event.respondWith(loadFile(event))
})

async function loadPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match(PAGE)) ?? Response.error()
  }
}

async function loadFile(event) {
  return (await caches.match(event.request.url)) ?? fetch(event.request)
}
