import type { Strategy } from '../../../contract/investing/strategies.ts'

/** What our checks say of the test, and how often it paused at its drawdown limit. */
export function Verdict({ strategy: { backtest } }: { strategy: Pick<Strategy, 'backtest'> }) {
  if (backtest === null) return <span>Not tested</span>
  const { verdict, pausedOn } = backtest
  return (
    <span>
      {verdict.label}.{pausedOn.length > 0 && <span> Paused at its drawdown limit: {pausedOn.length}×.</span>}
    </span>
  )
}
