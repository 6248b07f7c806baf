import { useCallback, useSyncExternalStore } from 'react'
import { setSearchParams, watchUrl } from '../../lib/url.ts'

/**
 * One word of the page's address, `?status=approved`, that a screen keeps there so that a reload, a link and the way
 * back show the same. `fallback` is what a missing word means; it is never written out. For the browser only.
 */
export function useAddress(name: string, fallback: string): [value: string, set: (value: string) => void] {
  const search = useSyncExternalStore(watchUrl, () => location.search)
  const set = useCallback(
    (value: string) => setSearchParams({ [name]: value === fallback ? null : value }),
    [name, fallback],
  )
  return [new URLSearchParams(search).get(name) ?? fallback, set]
}
