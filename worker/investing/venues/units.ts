import * as z from 'zod/mini'
import { toExactNumber } from '../../ledger/units.ts'

/** Decimals of quantities, and of amounts of USD. */
export const QUANTITY_DECIMALS = 8
/** Decimals of prices. */
export const PRICE_DECIMALS = 9
/** Decimals of a fee as a share of an order's value. */
export const FEE_DECIMALS = 6

/** A decimal number as the venues write it, some of them with an exponent: `0E-8`. */
export const decimal = z.pipe(
  z.string().check(z.regex(/^-?\d{1,20}(?:\.\d{1,30})?(?:e[+-]?\d{1,2})?$/i)),
  z.transform(expandExponent),
)

/** `1.5e-3` becomes `0.0015`. */
function expandExponent(text: string): string {
  const [mantissa = '', exponent] = text.toLowerCase().split('e')
  if (exponent === undefined) return text
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const places = Number(exponent)
  const digits = '0'.repeat(Math.max(0, -places)) + whole + fraction + '0'.repeat(Math.max(0, places))
  const point = Math.max(0, -places) + whole.length + places
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}0`
}

/** A row of a list: null if it cannot be read, so that it keeps no other row from being read. */
export function createNullableRow<Row extends z.ZodMiniType>(row: Row) {
  return z.catch(z.nullable(row), null)
}

/** A decimal string in whole units of 10^-decimals. More decimals are cut off, rounded half up, or rounded up. */
export function parseUnits(
  text: string,
  decimals: number,
  rounding: 'down' | 'nearest' | 'up' = 'down',
): number {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  const rest = fraction.slice(decimals)
  const isUp = (rounding === 'nearest' && rest >= '5') || (rounding === 'up' && /[1-9]/.test(rest))
  const value = toExactNumber(isUp ? units + 1n : units)
  return text.startsWith('-') && value !== 0 ? -value : value
}

/** Whole units of 10^-decimals as a decimal string. */
export function formatUnits(units: number, decimals: number): string {
  if (!Number.isSafeInteger(units) || units < 0) throw new RangeError(`Not a number of units: ${units}`)
  const digits = String(units).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}

/** The value of a quantity at a price, in 10⁻⁸ USD, rounded half up. */
export function computeValue(quantity: number, price: number): number {
  const divisor = 10n ** BigInt(PRICE_DECIMALS)
  return toExactNumber((BigInt(quantity) * BigInt(price) + divisor / 2n) / divisor)
}

/** The quantity that a value in 10⁻⁸ USD is at a price, rounded half up. */
export function computeQuantity(value: number, price: number): number {
  const divisor = BigInt(price)
  return toExactNumber((BigInt(value) * 10n ** BigInt(PRICE_DECIMALS) + divisor / 2n) / divisor)
}
