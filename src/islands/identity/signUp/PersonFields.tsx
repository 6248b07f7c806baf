import { useSyncExternalStore } from 'react'
import { TextField, type TextFieldProps } from '../../../design/Field.tsx'
import { type Option, SelectField, type SelectFieldProps } from '../../../design/SelectField.tsx'

type CountryFieldProps = Omit<
  SelectFieldProps,
  'label' | 'autoComplete' | 'placeholder' | 'options' | 'group'
> & {
  /** The saved value, which may not be in the list. */
  saved?: string
}

/** A country from the page's list, found by its English or native name. */
export function CountryField({ saved = '', ...field }: CountryFieldProps) {
  const countries = useCountries()
  return (
    <SelectField
      {...field}
      label="Country"
      autoComplete="country-name"
      placeholder="Choose your country"
      options={withSavedValue(countries, saved)}
      group={{ label: 'By the name at home', options: byNativeName(countries) }}
    />
  )
}

export function PhoneField(field: Omit<TextFieldProps, 'type' | 'autoComplete' | 'hint'>) {
  return <TextField {...field} type="tel" autoComplete="tel" hint="With the country code: +1 555 010 0199" />
}

/** The options, with the saved value added if it is missing. */
export function withSavedValue(options: readonly Option[], saved: string): readonly Option[] {
  if (saved === '' || options.some(({ value }) => value === saved)) return options
  return [{ value: saved, label: saved }, ...options]
}

/** The id of the page's `<datalist>` of countries, which keeps the names out of the script bundle. */
export const COUNTRIES_LIST_ID = 'countries'

/** The countries of the page's list. Empty on the server. */
function useCountries(): readonly Option[] {
  return useSyncExternalStore(neverChanges, readList, noneYet)
}

/** Options labelled by native name, because typing matches the beginning of a label. */
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
