import { useCallback, useSyncExternalStore } from 'react'
import { setSearchParams, watchUrl } from '../../lib/url.ts'

/**
 * A search parameter that holds a screen's state, `?status=approved`, so that a reload, a link and the back button show the
 * same. A missing parameter means `fallback`, which is never written. For the browser only.
 */
export function useAddress(name: string, fallback: string): [value: string, set: (value: string) => void] {
  const search = useSyncExternalStore(watchUrl, () => location.search)
  const set = useCallback(
    (value: string) => setSearchParams({ [name]: value === fallback ? null : value }),
    [name, fallback],
  )
  return [new URLSearchParams(search).get(name) ?? fallback, set]
}
