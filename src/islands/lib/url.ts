import { useSyncExternalStore } from 'react'

/** What stands behind the `?` of the address, as a screen and the way back change it. Null on the first render. */
export function useSearchParams(): URLSearchParams | null {
  const search = useSyncExternalStore(
    watchUrl,
    () => location.search,
    () => null,
  )
  return search === null ? null : new URLSearchParams(search)
}

/** Words of the address by their names; null takes one away. */
export type SearchParams = Readonly<Record<string, string | null>>

/** Changes words of the address. `push` leaves the way back to how it was. */
export function setSearchParams(words: SearchParams, how: 'replace' | 'push' = 'replace'): void {
  const address = urlWith(location.href, words)
  if (how === 'push') history.pushState({ pushed: true }, '', address)
  else history.replaceState(history.state, '', address)
  for (const notify of watchers) notify()
}

let isGoingBack = false

/** Takes back what was pushed; where nothing was, because a link led here, changes the words instead. */
export function popSearchParams(words: SearchParams): void {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('pushed' in state)) setSearchParams(words)
  else if (!isGoingBack) {
    // The way back takes a moment. What is closed twice meanwhile must not lead a step further.
    isGoingBack = true
    const arrived = () => {
      isGoingBack = false
    }
    addEventListener('popstate', arrived, { once: true })
    history.back()
  }
}

export function urlWith(href: string, words: SearchParams): string {
  const url = new URL(href)
  for (const [name, word] of Object.entries(words)) {
    if (word === null) url.searchParams.delete(name)
    else url.searchParams.set(name, word)
  }
  return url.pathname + url.search + url.hash
}

const watchers = new Set<() => void>()

/** For `useSyncExternalStore`: hears of every change of the address that a screen makes, or the way back. */
export function watchUrl(notify: () => void): () => void {
  watchers.add(notify)
  addEventListener('popstate', notify)
  return () => {
    watchers.delete(notify)
    removeEventListener('popstate', notify)
  }
}
