import { useSyncExternalStore } from 'react'

/** The search parameters of the URL, live. Null on the first render. */
export function useSearchParams(): URLSearchParams | null {
  const search = useSyncExternalStore(
    watchUrl,
    () => location.search,
    () => null,
  )
  return search === null ? null : new URLSearchParams(search)
}

/** Search parameters to set; null removes one. */
export type SearchParams = Readonly<Record<string, string | null>>

/** Changes search parameters. `push` adds a history entry. */
export function setSearchParams(words: SearchParams, how: 'replace' | 'push' = 'replace'): void {
  const address = withSearchParams(location.href, words)
  if (how === 'push') history.pushState({ pushed: true }, '', address)
  else history.replaceState(history.state, '', address)
  for (const notify of watchers) notify()
}

/** Replaces the part behind the `#`, as search parameters. Blank ones are left out. */
export function setFragment(words: Readonly<Record<string, string>>): void {
  const given = Object.entries(words).filter(([, word]) => word !== '')
  const fragment = new URLSearchParams(given).toString()
  history.replaceState(history.state, '', location.pathname + location.search + (fragment && `#${fragment}`))
  for (const notify of watchers) notify()
}

let isGoingBack = false

/** Goes back if this screen pushed the current entry. If a link led here, sets `words` instead. */
export function popSearchParams(words: SearchParams): void {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('pushed' in state)) setSearchParams(words)
  else if (!isGoingBack) {
    // Going back takes a moment. A second call meanwhile must not go back twice.
    isGoingBack = true
    const endGoingBack = () => {
      isGoingBack = false
    }
    addEventListener('popstate', endGoingBack, { once: true })
    history.back()
  }
}

export function withSearchParams(href: string, words: SearchParams): string {
  const url = new URL(href)
  for (const [name, word] of Object.entries(words)) {
    if (word === null) url.searchParams.delete(name)
    else url.searchParams.set(name, word)
  }
  return url.pathname + url.search + url.hash
}

const watchers = new Set<() => void>()

/** For `useSyncExternalStore`: notifies of each change by `setSearchParams`, `setFragment` or the back button. */
export function watchUrl(notify: () => void): () => void {
  watchers.add(notify)
  addEventListener('popstate', notify)
  return () => {
    watchers.delete(notify)
    removeEventListener('popstate', notify)
  }
}
