/** The largest amount one request may name: 10,000,000,000 USD. */
const MAX_CENTS = 1_000_000_000_000

/**
 * USD as people and programs write it, to integer cents. Takes `"1500"`, `"1500.5"`, `"1500.50"` or a JSON number.
 * Null for everything else: signs, exponents, commas, spaces, a third decimal, zero, more than 10,000,000,000.
 */
export function parseUsd(input: unknown): number | null {
  if (typeof input === 'number') {
    // Number→string is the shortest exact form, so 0.1 stays "0.1" and a third decimal or an exponent shows.
    return Number.isFinite(input) ? parseUsd(String(input)) : null
  }
  if (typeof input !== 'string') return null
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(input)
  if (!match) return null
  const cents = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return cents > 0 && cents <= MAX_CENTS ? cents : null
}

/** Integer cents to the JSON number of USD that the API answers. Exact: the nearest double prints with ≤ 2 decimals. */
export function usdOf(cents: number): number {
  return cents === 0 ? 0 : cents / 100
}

const formatter = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** A USD number as people read it: `$1,234.50`, with a real minus sign for a loss: `−$3.00`. */
export function formatUsd(usd: number): string {
  return formatter.format(usd).replace('-', '−')
}

/** Integer cents as people read them. */
export function formatCents(cents: number): string {
  return formatUsd(usdOf(cents))
}

/**
 * A coin's price in USD as people read it, with as many digits as say something: cents from a dollar on, four digits
 * that count below it, so that `$0.000006` and `$100,000.00` both read well.
 */
export function formatPrice(usd: number): string {
  const decimals = usd >= 1 || usd <= 0 ? 2 : Math.min(18, 3 - Math.floor(Math.log10(usd)))
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: decimals })}`
}

/** A change in percent with its sign, a real minus among them: `+9.41%`, `−0.62%`, `0.00%`. */
export function formatChange(percent: number): string {
  const text = Math.abs(percent).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  return `${text === '0.00' ? '' : percent < 0 ? '−' : '+'}${text}%`
}

/** A change's direction as a word, for who sees neither colour nor arrow. */
export function changeWord(percent: number): 'up' | 'down' | 'unchanged' {
  return /[1-9]/.test(formatChange(percent)) ? (percent < 0 ? 'down' : 'up') : 'unchanged'
}
