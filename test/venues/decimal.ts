/** An amount, a price or a rate in whole 10⁻¹⁶: the most decimals that either exchange prints. */
export type Amount = bigint

const DECIMALS = 16
export const ONE: Amount = 10n ** BigInt(DECIMALS)

/** Reads a decimal string without sign or exponent. Null for anything else. */
export function amountOf(text: string): Amount | null {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d{0,16}))?$/.exec(text) ?? []
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(DECIMALS, '0'))
}

/** Reads a decimal string in the source code. */
export function amount(text: string): Amount {
  const read = amountOf(text)
  if (read === null) throw new Error(`Not an amount: ${text}`)
  return read
}

/** With exactly this many decimals, truncated. */
export function fixed(value: Amount, decimals: number): string {
  const units = (value < 0n ? -value : value) / 10n ** BigInt(DECIMALS - decimals)
  const digits = units.toString().padStart(decimals + 1, '0')
  const sign = value < 0n && units > 0n ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** With as many decimals as needed. */
export function plain(value: Amount): string {
  return fixed(value, DECIMALS).replace(/\.?0+$/, '')
}

/** The product, rounded half up. */
export function times(a: Amount, b: Amount): Amount {
  return (a * b + ONE / 2n) / ONE
}

/** The quotient, truncated. */
export function over(a: Amount, b: Amount): Amount {
  return (a * ONE) / b
}

/** Rounded half up to this many decimals. */
export function rounded(value: Amount, decimals: number): Amount {
  const unit = 10n ** BigInt(DECIMALS - decimals)
  return ((value + unit / 2n) / unit) * unit
}

/** Truncated to this many decimals. */
export function truncated(value: Amount, decimals: number): Amount {
  const unit = 10n ** BigInt(DECIMALS - decimals)
  return (value / unit) * unit
}

export function least(a: Amount, b: Amount): Amount {
  return a < b ? a : b
}

/** The nearest amount to a double, for prices that come out of a formula. */
export function amountNear(value: number, decimals: number): Amount {
  return BigInt(Math.round(value * 10 ** decimals)) * 10n ** BigInt(DECIMALS - decimals)
}
