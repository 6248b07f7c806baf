import { useCallback, useSyncExternalStore } from 'react'
import { setSearchParams, watchUrl } from '../../lib/url.ts'

/**
 * State in a search parameter, `?status=approved`, which survives a reload and works with links and the back button. A
 * missing parameter means `fallback`, which is never written. Browser only.
 */
export function useAddress(name: string, fallback: string): [value: string, set: (value: string) => void] {
  const search = useSyncExternalStore(watchUrl, () => location.search)
  const set = useCallback(
    (value: string) => setSearchParams({ [name]: value === fallback ? null : value }),
    [name, fallback],
  )
  return [new URLSearchParams(search).get(name) ?? fallback, set]
}
