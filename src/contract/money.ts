/** The largest amount one request may name: 10,000,000,000 USD. */
const MAX_CENTS = 1_000_000_000_000

/**
 * Parses USD to integer cents. Takes `"1500"`, `"1500.5"`, `"1500.50"` or a JSON number. Returns null for everything
 * else: signs, exponents, commas, spaces, a third decimal, zero, more than 10,000,000,000.
 */
export function parseUsd(input: unknown): number | null {
  if (typeof input === 'number') {
    // A number's shortest exact text keeps 0.1 as "0.1" and reveals a third decimal or an exponent.
    return Number.isFinite(input) ? parseUsd(String(input)) : null
  }
  if (typeof input !== 'string') return null
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(input)
  if (!match) return null
  const cents = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return cents > 0 && cents <= MAX_CENTS ? cents : null
}

/**
 * Converts integer cents to the JSON number of USD in the API. Exact: the nearest double prints with at most 2
 * decimals.
 */
export function toUsd(cents: number): number {
  return cents === 0 ? 0 : cents / 100
}

/** Converts the API's USD, which are exact to the cent, to integer cents. Sums use them, because sums of USD accumulate errors. */
export function toCents(usd: number): number {
  return Math.round(usd * 100)
}

let formatter: Intl.NumberFormat | undefined

/** Formats USD as `$1,234.50`, a loss with a real minus sign: `−$3.00`. */
export function formatUsd(usd: number): string {
  // Built with the first amount: it loads the rules of languages, and every start of the Worker would wait for them.
  formatter ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return formatter.format(usd).replace('-', '−')
}

export function formatCents(cents: number): string {
  return formatUsd(toUsd(cents))
}

/**
 * Formats a coin's price in USD: two decimals from $1 on, four significant digits below. `$0.000006` and `$100,000.00`
 * both read well.
 */
export function formatPrice(usd: number): string {
  const decimals = usd >= 1 || usd <= 0 ? 2 : Math.min(18, 3 - Math.floor(Math.log10(usd)))
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: decimals })}`
}

/** Formats a change in percent with its sign and a real minus: `+9.41%`, `−0.62%`, `0.00%`. */
export function formatChange(percent: number): string {
  const text = Math.abs(percent).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  return `${text === '0.00' ? '' : percent < 0 ? '−' : '+'}${text}%`
}

/** A change's direction as a word, for readers who see neither colour nor arrow. */
export function describeChange(percent: number): 'up' | 'down' | 'unchanged' {
  return /[1-9]/.test(formatChange(percent)) ? (percent < 0 ? 'down' : 'up') : 'unchanged'
}
