// Writes src/contract/countryNames.ts from the countries-list package: code, English and native name only, since the
// package's full data is several times as large as a form needs. Run it with `node scripts/country-names.mjs`.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
/** @type {Record<string, string>} */
const english = require('countries-list/minimal/countries.en.min.json')
/** @type {Record<string, string>} */
const native = require('countries-list/minimal/countries.native.min.json')

// Reserved codes of parts of Saint Helena, which is listed itself.
const NOT_COUNTRIES = new Set(['AC', 'TA'])

// Marks of writing direction, invisible in a list and fatal to a comparison.
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const rows = Object.keys(english)
  .filter((code) => !NOT_COUNTRIES.has(code))
  .map((code) => ({ code, label: clean(english[code]), native: clean(native[code]) }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))
  .map(({ code, label, native }) => (label === native ? `${code}|${label}` : `${code}|${label}|${native}`))

const target = new URL('../src/contract/countryNames.ts', import.meta.url)
const { version } = JSON.parse(
  readFileSync(new URL('../node_modules/countries-list/package.json', import.meta.url), 'utf8'),
)

writeFileSync(
  target,
  `/**
 * Code, English name and, where it differs, native name of every country, sorted by English name.
 * Written by scripts/country-names.mjs from countries-list ${version} (MIT); edit that, not this.
 */
export const COUNTRY_NAMES = \`${rows.join('\n')}\`
`,
)

/** @param {string | undefined} name */
function clean(name = '') {
  return name.replace(DIRECTION_MARKS, '').trim()
}
