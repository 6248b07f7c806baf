import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { readFailure } from '../../lib/ApiFailure.ts'
import { send } from '../../lib/request.ts'
import { buildTestPaths } from './testPaths.ts'

/** The published test of a strategy, with a value per day. */
export async function loadBacktest(strategy: Pick<Strategy, 'slug' | 'market'>): Promise<Backtest> {
  const url = `${buildTestPaths(strategy).files}.json`
  const answer = await send({ method: 'GET', url, headers: {}, body: null })
  if (!answer.ok) throw await readFailure(answer)
  return (await answer.json()) as Backtest
}
