import { useSyncExternalStore } from 'react'
import type { Option } from '../../../design/SelectField.tsx'

/** The page's `<datalist>` of countries: in the HTML once, so that no script has to carry the names. */
export const COUNTRIES_LIST_ID = 'countries'

/** The countries to choose from: none while the page is built, those of the page's list in the browser. */
export function useCountries(): readonly Option[] {
  return useSyncExternalStore(neverChanges, readList, noneYet)
}

/** The countries that have another name at home, by it: a list is searched by how its entries begin. */
export function byNativeName(countries: readonly Option[]): readonly Option[] {
  return countries
    .filter(({ value, label }) => label !== value)
    .map(({ value, label }) => ({ value, label: `${label.slice(value.length + 2, -1)} (${value})` }))
    .sort((a, b) => a.label.localeCompare(b.label))
}

const NONE: readonly Option[] = []
let read: readonly Option[] | null = null

function readList(): readonly Option[] {
  const list = document.getElementById(COUNTRIES_LIST_ID)
  read ??= [...(list?.querySelectorAll('option') ?? [])].map(({ value, text }) => ({ value, label: text }))
  return read
}

const neverChanges = () => () => {}
const noneYet = () => NONE
