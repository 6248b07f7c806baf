import { COUNTRY_NAMES } from './countryNames.ts'

/** `value` is the ISO 3166-1 two-letter code, `label` the English name, `native` the name at home. */
export type Country = { value: string; label: string; native: string }

/** Every country, sorted by English name. */
export const COUNTRIES: readonly Country[] = COUNTRY_NAMES.split('\n').map((row) => {
  const [value = '', label = '', native = label] = row.split('|')
  return { value, label, native }
})

/** How a country stands in a list: 'Germany (Deutschland)', or 'Malta' where both names are one. */
export function countryLabel(country: Country): string {
  return country.native === country.label ? country.label : `${country.label} (${country.native})`
}

/**
 * The two-letter code for what a person or program wrote: the code, the English or native name, both as in a list, or
 * a common other name ('USA', 'Holland'). Case, accents, full stops and outer spaces don't matter. Null when unknown.
 */
export function countryOf(text: string): string | null {
  return CODES.get(fold(text)) ?? null
}

const ALIASES: Record<string, string> = {
  'Aland Islands': 'AX',
  America: 'US',
  Britain: 'GB',
  'Brunei Darussalam': 'BN',
  Burma: 'MM',
  'Cape Verde': 'CV',
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

// English names come last, so that no alias or native name can take one over; codes are last of all.
const CODES = new Map<string, string>([
  ...Object.entries(ALIASES).map(([name, code]): [string, string] => [fold(name), code]),
  ...COUNTRIES.map((country): [string, string] => [fold(country.native), country.value]),
  ...COUNTRIES.map((country): [string, string] => [fold(countryLabel(country)), country.value]),
  ...COUNTRIES.map((country): [string, string] => [fold(country.label), country.value]),
  ...COUNTRIES.map((country): [string, string] => [fold(country.value), country.value]),
])

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Diacritic}|[.\u200e\u200f]/gu, '')
    .replace(/[’ʼ]/g, "'")
    .replace(/&/g, 'and')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
