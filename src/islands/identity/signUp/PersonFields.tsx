import { useSyncExternalStore } from 'react'
import { type Option, SelectField, type SelectFieldProps } from '../../../design/SelectField.tsx'
import { TextField, type TextFieldProps } from '../../../design/TextField.tsx'

type CountryFieldProps = Omit<
  SelectFieldProps,
  'label' | 'autoComplete' | 'placeholder' | 'options' | 'group'
> & {
  /** What somebody has given already, which may be none of the choices. */
  own?: string
}

/** A country out of the page's list, found by typing its English name or the one it has at home. */
export function CountryField({ own = '', ...field }: CountryFieldProps) {
  const countries = useCountries()
  return (
    <SelectField
      {...field}
      label="Country"
      autoComplete="country-name"
      placeholder="Choose your country"
      options={withOwn(countries, own)}
      group={{ label: 'By the name at home', options: byNativeName(countries) }}
    />
  )
}

/** A phone number as the contract wants it. */
export function PhoneField(field: Omit<TextFieldProps, 'type' | 'autoComplete' | 'hint'>) {
  return <TextField {...field} type="tel" autoComplete="tel" hint="With the country code: +1 555 010 0199" />
}

/** The choices, and what somebody gave elsewhere if it is none of them: it is kept as one. */
export function withOwn(options: readonly Option[], own: string): readonly Option[] {
  if (own === '' || options.some(({ value }) => value === own)) return options
  return [{ value: own, label: own }, ...options]
}

/** The page's `<datalist>` of countries: in the HTML once, so that no script has to carry the names. */
export const COUNTRIES_LIST_ID = 'countries'

/** The countries to choose from: none while the page is built, those of the page's list in the browser. */
function useCountries(): readonly Option[] {
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
