import { mean } from './moments.ts'
import { DAYS_A_YEAR } from './returns.ts'

/**
 * Turnover a year: all that was bought and sold, for each unit of average daily equity, times 365 / days (R. Grinold and R. Kahn, Active
 * Portfolio Management, 1999, ch. 16, who count one side; here both count, as both cost). Null without equity.
 */
export function turnover(traded: number, equity: Float64Array): number | null {
  const average = mean(equity)
  return average === null || average <= 0 ? null : (traded / average) * (DAYS_A_YEAR / equity.length)
}
