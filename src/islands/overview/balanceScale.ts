/** Where a chart ends at the top: the next round number above all values, of 1, 2, 2.5 or 5 times a power of ten. */
export function roundTop(most: number): number {
  if (most <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= most) ?? 10
  return factor * power
}

/** Where it ends at the bottom: zero, or the same below it where something is owed. */
export function roundBottom(least: number): number {
  return least >= 0 ? 0 : -roundTop(-least)
}

const compact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 2,
})

/** A figure at an axis: `$2.5K`. */
export function axisText(usd: number): string {
  return compact.format(usd).replace('-', '−')
}

/** A day in UTC, as the books count it: `Jan 31`, with the year where it is another one than `beside`. */
export function dayText(day: string, beside?: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
    ...(beside?.slice(0, 4) !== day.slice(0, 4) && { year: 'numeric' }),
  })
}
