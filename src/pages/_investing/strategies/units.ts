import type { Parameter } from '../../../../engine/strategy.ts'

/** What a parameter’s unit is called where bars are days. */
const UNIT_WORDS: Readonly<Record<Parameter['unit'], string>> = {
  bars: 'days',
  'per cent': '%',
  'percentage points': 'percentage points',
  deviations: 'deviations',
  assets: 'assets',
  'index points': 'index points',
}

/** What the engine says of bars, said of days. */
export function inDays(words: string): string {
  return words.replaceAll('bars', 'days')
}

/** A value with its unit: 50 days, 30%. */
export function unitText(value: number, unit: Parameter['unit']): string {
  const word = UNIT_WORDS[unit]
  return word === '%' ? `${value}%` : `${value} ${word}`
}
