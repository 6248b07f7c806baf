import type { DailyCloses } from '../../contract/investing/market.ts'
import type { DayValue } from '../../contract/money/statements.ts'
import { sum } from '../../contract/numbers.ts'

/**
 * The value in USD at the end of each day if the same payments had gone in equal parts into coins, or stayed cash without any. Coins are
 * bought and sold at the close of the payment's day, without costs. The first day's balance counts as a payment. A payment out that the
 * coins do not cover leaves a debt. A day without a price uses the one before; null if there is none before the first payment.
 */
export function computeSamePayments(
  course: readonly DayValue[],
  { days, coins }: Pick<DailyCloses, 'days' | 'coins'>,
): number[] | null {
  const places = new Map(days.map((day, place) => [day, place]))
  const prices: (number | null)[] = coins.map(() => null)
  const units = coins.map(() => 0)
  let cash = 0
  const values: number[] = []
  for (const [index, { day, balance, paidIn }] of course.entries()) {
    const place = places.get(day)
    for (const [coin, { closes }] of coins.entries())
      prices[coin] = (place === undefined ? null : closes[place]) ?? prices[coin] ?? null
    cash += index === 0 ? balance : paidIn
    if (coins.length > 0 && cash !== 0) {
      if (prices.includes(null)) return null
      const worth = computeWorth(units, prices)
      if (cash > 0) {
        const part = cash / coins.length
        for (const [coin, price] of prices.entries()) units[coin] = (units[coin] ?? 0) + part / (price ?? 1)
        cash = 0
      } else {
        const sold = worth === 0 ? 0 : Math.min(1, -cash / worth)
        for (const [coin, count] of units.entries()) units[coin] = count * (1 - sold)
        cash += worth * sold
      }
    }
    values.push(computeWorth(units, prices) + cash)
  }
  return values.map((usd) => Math.round(usd * 100) / 100)
}

function computeWorth(units: readonly number[], prices: readonly (number | null)[]): number {
  return sum(units.map((count, coin) => count * (prices[coin] ?? 0)))
}
