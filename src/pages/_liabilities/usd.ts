const formatter = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Cents as `formatCents` of the contract writes them, which comes in one file with what islands need: twelve times this page’s scripts. */
export function usd(cents: number): string {
  return formatter.format(cents / 100)
}
