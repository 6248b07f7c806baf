import { useMemo, useSyncExternalStore } from 'react'
import type { CaseFilters } from '../../../contract/console/cases.ts'
import { setSearchParams, watchUrl } from '../../lib/url.ts'

export type FilterName = keyof CaseFilters | 'kyc' | 'anywhere'
export type Filters = Readonly<Partial<Record<FilterName, string>>>

/** The filters in the address, `?coin=usdt&from=2026-01-31`. Those without a value are left out. Browser only. */
export function useFilters(
  names: readonly FilterName[],
): [filters: Filters, set: (filters: Filters) => void] {
  const search = useSyncExternalStore(watchUrl, () => location.search)
  const filters = useMemo(() => {
    const given = new URLSearchParams(search)
    return Object.fromEntries(
      names.flatMap((name) => (given.get(name) ? [[name, given.get(name) ?? '']] : [])),
    )
  }, [names, search])
  return [
    filters,
    (next) => setSearchParams(Object.fromEntries(names.map((name) => [name, next[name] || null]))),
  ]
}
