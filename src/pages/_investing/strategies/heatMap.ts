import type { Sweep } from '../../../../engine/backtest/backtestResult.ts'

/** The strongest colour of a heat map, for the largest growth or loss in it. */
const STRONGEST = 3

/**
 * The colour of each cell of a heat map: −3 to −1 for losses, 1 to 3 for gains, 0 for none. Growth is compared on a logarithmic
 * scale, on which doubling and halving are equally strong.
 */
export function computeHeatLevels(returns: Sweep['returns']): readonly (readonly number[])[] {
  const growth = returns.map((row) =>
    row.map((value) => (value === null ? 0 : Math.log(Math.max(1e-9, 1 + value)))),
  )
  const most = Math.max(...growth.flat().map(Math.abs))
  return growth.map((row) =>
    row.map((value) =>
      value === 0 ? 0 : Math.sign(value) * Math.ceil((STRONGEST * Math.abs(value)) / most),
    ),
  )
}

/** Describes in one sentence how the choice of parameters affects the return. */
export function describeSweep(returns: Sweep['returns']): string {
  const all = returns.flat().filter((value) => value !== null)
  const gains = all.filter((value) => value > 0).length
  if (new Set(all).size === 1)
    return 'All combinations gave the same return, so the parameters made no difference.'
  if (gains === all.length) return 'All combinations gained. The parameters decided only how much.'
  if (gains === 0) return 'No combination gained.'
  return `${gains} of ${all.length} combinations gained. Whether it gained depends on the parameters.`
}
