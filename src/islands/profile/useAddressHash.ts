import { useSyncExternalStore } from 'react'

/** What stands after the `#` in the page's address, blank while the page is built, and a way to put something else there. */
export function useAddressHash(): [hash: string, replace: (hash: string) => void] {
  const hash = useSyncExternalStore(subscribe, read, () => '')
  return [hash, replace]
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

function read(): string {
  return location.hash.slice(1)
}

// Replaced, so that the way back leads to the page before and not through every tab.
function replace(hash: string): void {
  location.replace(`#${hash}`)
}
