import english from 'countries-list/minimal/countries.en.min.json' with { type: 'json' }
import native from 'countries-list/minimal/countries.native.min.json' with { type: 'json' }

/** `value` is the ISO 3166-1 two-letter code, `label` the English name, `native` the name at home. */
export type Country = { value: string; label: string; native: string }

// Reserved codes of parts of Saint Helena, which is in the list itself.
const NOT_COUNTRIES: readonly string[] = ['AC', 'TA']

/** Every country, sorted by English name. */
export function listCountries(): Country[] {
  return (Object.keys(english) as (keyof typeof english)[])
    .filter((code) => !NOT_COUNTRIES.includes(code))
    .map((code) => ({ value: code, label: english[code], native: normalizeName(native[code]) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'))
}

/** Removes marks of writing direction, which are invisible and break comparisons. */
function normalizeName(name: string): string {
  return name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').trim()
}

/** The label in a list: 'Germany (Deutschland)', or 'Malta' where both names are equal. */
export function formatCountry(country: Country): string {
  return country.native === country.label ? country.label : `${country.label} (${country.native})`
}

/** The label of a country in a list that is searched by typing: 'Netherlands (Nederland, Holland, The Netherlands)'. */
export function searchLabel({ value, label, native }: Country): string {
  const others = Object.keys(ALIASES).filter((name) => ALIASES[name] === value)
  const names = [...new Set([native, ...others])].filter((name) => name !== label)
  return names.length === 0 ? label : `${label} (${names.join(', ')})`
}

/**
 * Finds the two-letter code for a code, an English or native name, a label, or a common alias ('USA', 'Holland').
 * Ignores case, accents, full stops and outer spaces. Null when unknown.
 */
export function findCountryCode(text: string): string | null {
  codes ??= mapCodesByName()
  return codes.get(normalizeText(text)) ?? null
}

/** How people may have written the country of a code. Empty for an unknown code. */
export function listSpellings(code: string): string[] {
  return listCountries()
    .filter(({ value }) => value === code)
    .flatMap((country) => [country.value, country.label, country.native, formatCountry(country)])
}

let codes: ReadonlyMap<string, string> | undefined

const ALIASES: Record<string, string> = {
  'Aland Islands': 'AX',
  America: 'US',
  Britain: 'GB',
  'Brunei Darussalam': 'BN',
  Burma: 'MM',
  'Cape Verde': 'CV',
  "Cote d'Ivoire": 'CI',
  'Congo-Brazzaville': 'CG',
  'Congo-Kinshasa': 'CD',
  'Czech Republic': 'CZ',
  'DR Congo': 'CD',
  DRC: 'CD',
  Emirates: 'AE',
  England: 'GB',
  'Great Britain': 'GB',
  Holland: 'NL',
  'Hong Kong SAR': 'HK',
  'Islamic Republic of Iran': 'IR',
  KSA: 'SA',
  Korea: 'KR',
  Macau: 'MO',
  Macedonia: 'MK',
  'Northern Ireland': 'GB',
  'Palestinian Territories': 'PS',
  'Republic of Ireland': 'IE',
  'Republic of Korea': 'KR',
  ROK: 'KR',
  RSA: 'ZA',
  'Russian Federation': 'RU',
  Scotland: 'GB',
  'St Helena': 'SH',
  'St Kitts and Nevis': 'KN',
  'St Lucia': 'LC',
  'St Vincent and the Grenadines': 'VC',
  Swaziland: 'SZ',
  'Syrian Arab Republic': 'SY',
  'The Bahamas': 'BS',
  'The Gambia': 'GM',
  'The Netherlands': 'NL',
  'The Philippines': 'PH',
  'Timor-Leste': 'TL',
  Turkey: 'TR',
  UAE: 'AE',
  UK: 'GB',
  'United States of America': 'US',
  USA: 'US',
  'U.S. Virgin Islands': 'VI',
  Vatican: 'VA',
  Wales: 'GB',
}

/** Codes by each folded name. Later entries win: English names come after aliases and native names, and codes are last. */
function mapCodesByName(): Map<string, string> {
  const countries = listCountries()
  const listCodesBy = (textOf: (country: Country) => string) =>
    countries.map((country): [string, string] => [normalizeText(textOf(country)), country.value])
  return new Map([
    ...Object.entries(ALIASES).map(([name, code]): [string, string] => [normalizeText(name), code]),
    ...listCodesBy(({ native }) => native),
    ...listCodesBy(formatCountry),
    ...listCodesBy(({ label }) => label),
    ...listCodesBy(({ value }) => value),
  ])
}

function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Diacritic}|[.\u200e\u200f]/gu, '')
    .replace(/[’ʼ]/g, "'")
    .replace(/&/g, 'and')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
