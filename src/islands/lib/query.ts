import { useSyncExternalStore } from 'react'

/** What stands behind the `?` of the address. Null while the page is built and on the first render. */
export function useQuery(): URLSearchParams | null {
  const search = useSyncExternalStore(
    subscribeToNothing,
    () => location.search,
    () => null,
  )
  return search === null ? null : new URLSearchParams(search)
}

// A page's address stays what it was when the page was loaded.
function subscribeToNothing() {
  return () => {}
}
