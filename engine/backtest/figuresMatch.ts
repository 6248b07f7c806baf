import type { Backtest } from './backtestResult.ts'

const RELATIVE = 1e-9

/**
 * The paths where two tests differ, such as `atCosts.1.figures.cagr`. Numbers may differ by 1e−9 of the larger one.
 * Empty if they match.
 */
export function compareBacktests(a: Backtest, b: Backtest): string[] {
  return listDifferences(a, b, '')
}

function listDifferences(a: unknown, b: unknown, path: string): string[] {
  if (typeof a === 'number' && typeof b === 'number') return isClose(a, b) ? [] : [path]
  if (!isObject(a) || !isObject(b)) return a === b ? [] : [path]
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].flatMap((name) =>
    listDifferences(a[name], b[name], path === '' ? name : `${path}.${name}`),
  )
}

function isClose(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
