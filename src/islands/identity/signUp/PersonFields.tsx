import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { readPhone } from '../../../contract/typedText.ts'
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

type PhoneFieldProps = Omit<PhoneNumberFieldProps, 'autoComplete' | 'hint' | 'read'> & {
  /** The country in the form, by one of its names. Its calling code completes a local number. Only the first value is used. */
  getCountry?: () => string
}

/** The investor's own phone number. */
export function PhoneField({ getCountry = () => '', ...field }: PhoneFieldProps) {
  // Stable, because a new one would bind the field again, and fill in what was understood.
  const [read] = useState(() => (typed: string) => {
    const dialled = findDialledCountry(getCountry())
    const phone = readPhone(typed)
    return dialled === null ? phone : completePhone(phone, dialled)
  })
  return (
    <PhoneNumberField
      {...field}
      read={read}
      autoComplete="tel"
      hint={
        getCountry() === ''
          ? 'With the country code: +1 555 010 0199'
          : 'As you dial it at home, or with the country code'
      }
    />
  )
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

/** A country as it is dialled. */
interface DialledCountry {
  /** ISO 3166-1, two letters. */
  code: string
  /** What its phone numbers begin with, without the plus sign: `['1', '1809']`. */
  dial: readonly string[]
}

/** Finds a country of the page's list by one of its names. Null if the list lacks it or its calling code. */
function findDialledCountry(typed: string): DialledCountry | null {
  if (typed === '') return null
  const options = [...document.querySelectorAll<HTMLOptionElement>(`#${COUNTRIES_LIST_ID} option`)]
  const name = findEnglishName(listCountryOptions(), typed)
  const { code = '', dial = '' } = options.find(({ value }) => value === name)?.dataset ?? {}
  return dial === '' ? null : { code, dial: dial.split(' ') }
}

/** What a number begins with when it is dialled within the country, and not from abroad. In most countries a zero. */
const TRUNK_PREFIXES: Readonly<Record<string, RegExp>> = {
  BY: /^80?(?=\d{9}$)/,
  HU: /^06/,
  KZ: /^8(?=\d{10}$)/,
  LT: /^[08]/,
  RU: /^8(?=\d{10}$)/,
  TM: /^8(?=\d{8}$)/,
}
/** Countries in which a first zero is part of the number. */
const ZERO_STAYS = ['BF', 'BJ', 'CG', 'CI', 'IT', 'SM', 'VA']

/**
 * Completes a phone number that is written as it is dialled within the country, with the country's calling code: `0151 234567` of
 * Germany is `+49 151234567`. A number with a plus sign, and what is no number, stays unchanged.
 */
export function completePhone(phone: string, { code, dial }: DialledCountry): string {
  const digits = phone.replaceAll(' ', '')
  const [first = ''] = dial
  if (!/^\d{5,14}$/.test(digits) || first === '') return phone
  if (!first.startsWith('1'))
    return `+${first} ${ZERO_STAYS.includes(code) ? digits : digits.replace(TRUNK_PREFIXES[code] ?? /^0/, '')}`
  // North America: ten digits with the area, which a country with one area may leave out.
  const number = digits.replace(/^1(?=\d{10}$)/, '')
  return number.length === 7 && dial.length === 1 ? `+${first} ${number}` : `+1 ${number}`
}

function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .replace(/[’ʼ]/g, "'")
    .trim()
    .toLowerCase()
}
