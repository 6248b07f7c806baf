import { normalizeTyped } from './typedText.ts'

/** The possible meanings of a typed amount, each as digits with a point before the decimals: `1500.50`. */
export interface AmountReading {
  /** The amount, if the text has one reading. Null if it has none or several. */
  readonly amount: string | null
  /** What to choose from. */
  readonly choices: readonly string[]
}

export interface AmountRules {
  /** The most decimals that an amount may have. */
  readonly decimals: number
  /** Words that may stand before or after the number, beside a dollar sign: `BTC`, `%`. */
  readonly unit: string
}

/** An amount of USD. */
export const USD_RULES: AmountRules = { decimals: 2, unit: 'USD' }

/**
 * Reads an amount as people write it in any country: `1500,50`, `1,500.50`, `$1,000`, `1 000`, `1.500,50`, `1'500`, `1,00,000`,
 * `١٬٥٠٠`. What the contract takes is never read as something else. With two possible meanings, such as `1.500`, it is not decided
 * here.
 */
export function readAmount(typed: string, { decimals, unit }: AmountRules = USD_RULES): AmountReading {
  const text = stripUnit(normalizeTyped(typed), unit)
    // The Arabic signs for decimals and thousands, and the signs for thousands of Switzerland.
    .replace(/٫/g, '.')
    .replace(/[٬’ʼ´`]/g, "'")
    // "1500,-" has no cents.
    .replace(/[.,]\p{Pd}*$/u, '')
    .replace(/^[.,](?=\d)/, '0.')
    .replace(/\s/g, ' ')
  // Exponents and digits in circles would become ordinary digits.
  if (/\p{No}/u.test(typed)) return NO_AMOUNT
  if (text.length > MAX_LENGTH || !/^\d[\d.,' ]*$/.test(text)) return NO_AMOUNT
  if (new RegExp(`^\\d+(?:\\.\\d{1,${decimals}})?$`).test(text)) return { amount: text, choices: [] }
  const whole = readWhole(text)
  const readings = [whole, readDecimals(text, '.', decimals), readDecimals(text, ',', decimals)]
  const choices = [...new Set(readings.filter((reading) => reading !== null))]
  const [first] = choices
  if (first === undefined) return NO_AMOUNT
  // We write "1,500" ourselves. Nobody writes a third decimal of a dollar.
  if (whole !== null && decimals === 2 && /^\d+,\d{3}$/.test(text)) return { amount: whole, choices: [] }
  // An English reader takes the point of "1.500" for a decimal point.
  const isUnclear = choices.length > 1 || /^\d+\.\d+$/.test(text)
  return isUnclear ? { amount: null, choices } : { amount: first, choices: [] }
}

const MAX_LENGTH = 60
const NO_AMOUNT: AmountReading = { amount: null, choices: [] }

function stripUnit(text: string, unit: string): string {
  const sign = new RegExp(`${unit.replace(/\W/g, '\\$&')}|(?:US)?\\$|USD`).source
  return text.replace(new RegExp(`^(?:${sign})\\s*|\\s*(?:${sign})$`, 'gi'), '')
}

/** Thousands in groups of three, or as in India the last group of three and the others of two. */
const GROUPED = /^(?:[1-9]\d{0,2}(?:([., '])\d{3})(?:\1\d{3})*|[1-9]\d?(?:,\d{2})+,\d{3})$/

/** A number without decimals, or null. */
function readWhole(text: string): string | null {
  if (/^\d+$/.test(text)) return text
  return GROUPED.test(text) ? text.replace(/\D/g, '') : null
}

/** A number with decimals after this sign, or null. */
function readDecimals(text: string, sign: '.' | ',', decimals: number): string | null {
  const [before = '', after = '', ...more] = text.split(sign)
  const whole = readWhole(before)
  if (whole === null || after === '' || more.length > 0 || /\D/.test(after)) return null
  const digits = after.length > decimals ? after.replace(/0+$/, '') : after
  if (digits.length > decimals) return null
  return digits === '' ? whole : `${whole}.${digits}`
}
