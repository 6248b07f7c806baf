import type { Sweep } from './backtestResult.ts'
import { computeTrialReturn, type Trial } from './trials.ts'

/**
 * The total returns of the trials in which only the first two parameters vary, as a grid. Null without a second trial. The
 * first trial has the strategy's own values.
 */
export function buildSweep(trials: readonly Trial[]): Sweep | null {
  const own = trials[0]?.values
  if (own === undefined || trials.length < 2) return null
  const [x = '', y = null, ...others] = Object.keys(own)
  const varied = trials.filter(({ values }) => others.every((name) => values[name] === own[name]))
  const listValues = (name: string) =>
    [...new Set(varied.map(({ values }) => values[name] ?? Number.NaN))].sort((a, b) => a - b)
  const xs = listValues(x)
  const ys = y === null ? [] : listValues(y)
  const findReturn = (xValue: number, yValue: number | null) => {
    const trial = varied.find(({ values }) => values[x] === xValue && (y === null || values[y] === yValue))
    return trial === undefined ? null : computeTrialReturn(trial)
  }
  const rows: readonly (number | null)[] = y === null ? [null] : ys
  return { x, y, xs, ys, returns: rows.map((row) => xs.map((column) => findReturn(column, row))) }
}
