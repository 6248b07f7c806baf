/** Whole dollars, `$1,473`. */
export function dollars(usd: number): string {
  return `$${Math.round(usd).toLocaleString('en-US')}`
}

/** A share as per cent with a real minus sign, `−32.3%`; a cost of basis points is a share as well. */
export function percent(share: number, decimals = 1): string {
  return `${(share * 100)
    .toFixed(decimals)
    .replace(/^-(?=.*[1-9])/, '−')
    .replace(/^-/, '')}%`
}
