import type { FocusEvent, KeyboardEvent } from 'react'
import {
  PhoneNumberField,
  type PhoneNumberFieldProps,
  TextField,
  type TextFieldProps,
} from '../../../design/Field.tsx'
import type { Option } from '../../../design/SelectField.tsx'

type CountryFieldProps = Omit<TextFieldProps, 'label' | 'type' | 'autoComplete' | 'list'>

/**
 * A country from the page's list, found by its English name, its name at home or a common other one. When the field is left,
 * another name is replaced by the English one.
 */
export function CountryField({
  hint = 'Start typing, then choose from the list',
  ...field
}: CountryFieldProps) {
  const fillCountry = ({
    currentTarget: input,
  }: FocusEvent<HTMLInputElement> | KeyboardEvent<HTMLInputElement>) => {
    const name = findEnglishName(listCountryOptions(), input.value)
    if (name !== null) input.value = name
  }
  return (
    <TextField
      {...field}
      label="Country"
      autoComplete="country-name"
      list={COUNTRIES_LIST_ID}
      hint={hint}
      onBlur={fillCountry}
      onKeyDown={(event) => {
        if (event.key === 'Enter') fillCountry(event)
      }}
    />
  )
}

/** The investor's own phone number. */
export function PhoneField(field: Omit<PhoneNumberFieldProps, 'autoComplete' | 'hint'>) {
  return <PhoneNumberField {...field} autoComplete="tel" hint="With the country code: +1 555 010 0199" />
}

/** The options, with the saved value added if it is missing. */
export function withSavedValue(options: readonly Option[], saved: string): readonly Option[] {
  if (saved === '' || options.some(({ value }) => value === saved)) return options
  return [{ value: saved, label: saved }, ...options]
}

/** The id of the page's `<datalist>` of countries, which keeps the names out of the script bundle. */
export const COUNTRIES_LIST_ID = 'countries'

function listCountryOptions(): Option[] {
  const options = document.querySelectorAll<HTMLOptionElement>(`#${COUNTRIES_LIST_ID} option`)
  return [...options].map(({ value, text }) => ({ value, label: text }))
}

/**
 * The English name of the country that is called `typed`, ignoring case and accents. Null if no country is. Labels are those
 * of `searchLabel`.
 */
export function findEnglishName(countries: readonly Option[], typed: string): string | null {
  const sought = normalizeText(typed)
  const isSought = ({ value, label }: Option) =>
    [value, ...label.slice(value.length + 2, -1).split(', ')].some((name) => normalizeText(name) === sought)
  // An English name comes first: a few are also the name of another country at home.
  const found = countries.find(({ value }) => normalizeText(value) === sought) ?? countries.find(isSought)
  return sought === '' || found === undefined ? null : found.value
}

/** A country of the page's list, with the codes that its phone numbers begin with: `['1', '1809']`, without the plus sign. */
export interface DialledCountry {
  name: string
  /** ISO 3166-1, two letters. */
  code: string
  dial: readonly string[]
}

/** The page's countries with their dialling codes. */
export function listDialledCountries(): DialledCountry[] {
  const options = document.querySelectorAll<HTMLOptionElement>(`#${COUNTRIES_LIST_ID} option`)
  return [...options].map(({ value, dataset }) => ({
    name: value,
    code: dataset.code ?? '',
    dial: dataset.dial?.split(' ') ?? [],
  }))
}

/**
 * The English name of the country that a phone number with its country code belongs to. Where countries share a code, the
 * browser's languages decide: +1 is the United States for `en-US`. Null if that leaves none or several.
 */
export function findPhoneCountry(
  countries: readonly DialledCountry[],
  phone: string,
  languages: readonly string[],
): string | null {
  const digits = phone.trim().startsWith('+') ? phone.replace(/\D/g, '') : ''
  const measureDialMatch = ({ dial }: DialledCountry) =>
    Math.max(0, ...dial.filter((code) => code !== '' && digits.startsWith(code)).map(({ length }) => length))
  const longest = Math.max(0, ...countries.map(measureDialMatch))
  const found = longest === 0 ? [] : countries.filter((country) => measureDialMatch(country) === longest)
  if (found.length === 1) return found[0]?.name ?? null
  const regions = languages.map((language) => language.split('-').at(-1)?.toUpperCase())
  const spoken = regions.flatMap((region) => found.filter(({ code }) => code === region))
  return spoken[0]?.name ?? null
}

function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .replace(/[’ʼ]/g, "'")
    .trim()
    .toLowerCase()
}
