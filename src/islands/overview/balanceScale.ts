/**
 * The gridlines of a chart of USD amounts, lowest first: at most six, evenly spaced by 1, 2 or 5 times a power of ten. Zero
 * is always included, so that no change looks larger than it is.
 */
export function scaleOf(values: readonly number[]): number[] {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  // Calculated in cents, so that every line is a whole number of cents.
  const step = roundStep(Math.max(1, ((high === low ? 1 : high - low) * 100) / 4))
  const first = Math.floor((low * 100) / step)
  const last = high === low ? Math.ceil(100 / step) : Math.ceil((high * 100) / step)
  return Array.from({ length: last - first + 1 }, (_, index) => ((first + index) * step) / 100)
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((each) => each * power >= least) ?? 10) * power
}

/** An axis label: `$2.5K`. */
export function axisText(usd: number): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    notation: 'compact',
    minimumFractionDigits: Number.isInteger(usd) ? 0 : 2,
    maximumFractionDigits: 2,
  })
    .format(usd)
    .replace('-', '−')
}

/** A day in UTC, like `Jan 31`, with the year if it differs from that of `beside`. */
export function dayText(day: string, beside?: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
    ...(beside?.slice(0, 4) !== day.slice(0, 4) && { year: 'numeric' }),
  })
}
