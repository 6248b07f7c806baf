import { useCallback, useSyncExternalStore } from 'react'

/**
 * One word of the page's address, `?status=approved`, that a screen keeps there so that a reload, a link and the way
 * back show the same. `fallback` is what a missing word means; it is never written out. For the browser only.
 */
export function useAddress(name: string, fallback: string): [value: string, set: (value: string) => void] {
  const search = useSyncExternalStore(watch, () => location.search)
  const set = useCallback(
    (value: string) => {
      history.replaceState(history.state, '', addressWith(location.href, name, value, fallback))
      for (const notify of watchers) notify()
    },
    [name, fallback],
  )
  return [new URLSearchParams(search).get(name) ?? fallback, set]
}

/** The address with the word changed; without it when it says what its absence means. */
export function addressWith(href: string, name: string, value: string, fallback: string): string {
  const url = new URL(href)
  if (value === fallback) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  return url.pathname + url.search + url.hash
}

const watchers = new Set<() => void>()

function watch(notify: () => void): () => void {
  watchers.add(notify)
  addEventListener('popstate', notify)
  return () => {
    watchers.delete(notify)
    removeEventListener('popstate', notify)
  }
}
