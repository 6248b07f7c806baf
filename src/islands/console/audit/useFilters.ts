import { setSearchParams, useSearchParams } from '../../lib/url.ts'

export const FILTERS = ['actor', 'action', 'subject', 'from', 'to', 'line'] as const
export type FilterName = (typeof FILTERS)[number]
export type Filters = Partial<Record<FilterName, string>>

/** What of the log is shown, kept in the address so that a link shows the same. */
export function useFilters(): [filters: Filters, set: (words: Partial<Record<FilterName, string>>) => void] {
  const query = useSearchParams()
  const filters: Filters = {}
  for (const name of FILTERS) {
    const word = query?.get(name)
    if (word) filters[name] = word
  }
  return [
    filters,
    (words) =>
      setSearchParams(Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word || null]))),
  ]
}
