import { decimalOf } from '../../investing/venues/units.ts'

/** Whole units of 10^-decimals as text, also below zero, without zeros at the end. */
export function decimalText(units: number, decimals: number): string {
  return units < 0 ? `-${decimalOf(-units, decimals)}` : decimalOf(units, decimals)
}
