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
