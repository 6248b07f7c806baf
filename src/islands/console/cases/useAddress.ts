import { useCallback, useSyncExternalStore } from 'react'
import { setFragment, setSearchParams, watchUrl } from '../../lib/url.ts'

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

/**
 * Like `useAddress`, for text that may be a person's name or address: it is stored behind the `#`, which browsers send to no server, so
 * that it stands in no request log. Links may still give it as a search parameter.
 */
export function usePrivateAddress(name: string): [value: string, set: (value: string) => void] {
  const { search, hash } = new URL(useSyncExternalStore(watchUrl, () => location.href))
  const set = useCallback(
    (value: string) => {
      setSearchParams({ [name]: null })
      setFragment({ [name]: value })
    },
    [name],
  )
  return [new URLSearchParams(hash.slice(1)).get(name) ?? new URLSearchParams(search).get(name) ?? '', set]
}
