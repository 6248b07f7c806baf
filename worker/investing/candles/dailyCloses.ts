import { and, eq, gte, inArray } from 'drizzle-orm'
import { REAL_PAIRS } from '../../../engine/market/realPairs.ts'
import { SIMULATED_ASSETS } from '../../../engine/market/simulatedAssets.ts'
import type { DailyCloses } from '../../../src/contract/investing/market.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Answer, type Call, ok } from '../../http/call.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { candles, currentCandles } from '../../lib/tables/market.ts'
import { getMarket, SIMULATED } from './markets.ts'
import { findRealMarket } from './provider.ts'

const DAYS = 365

/** The stored closes of the real coins, or of the simulated ones while no real bars are kept, in USD. One round trip. */
export async function getDailyCloses({ db, env, nowMs }: Call): Promise<Answer<DailyCloses>> {
  const market = findRealMarket(env) ?? SIMULATED
  const coins =
    market === SIMULATED
      ? SIMULATED_ASSETS.filter((asset) => asset.class === 'coin')
      : REAL_PAIRS.map(({ asset, name }) => ({ id: asset, name }))
  const ids = coins.map(({ id }) => id)
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const days = Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY_MS)
  const [closed, current] = await readTogether(
    db,
    selectRows({ asset: candles.asset, day: candles.day, close: candles.close })
      .from(candles)
      .where(
        and(
          eq(candles.market, market),
          inArray(candles.asset, ids),
          gte(candles.day, today - (DAYS - 1) * DAY_MS),
        ),
      ),
    selectRows({ asset: currentCandles.asset, day: currentCandles.day, close: currentCandles.last })
      .from(currentCandles)
      .where(and(eq(currentCandles.market, market), inArray(currentCandles.asset, ids))),
  )
  // A closed bar replaces the current one of its day.
  const prices = new Map([...current, ...closed].map(({ asset, day, close }) => [`${asset} ${day}`, close]))
  return ok({
    market: getMarket(market),
    days: days.map(formatIsoDay),
    coins: coins.map(({ id, name }) => ({
      id,
      name,
      closes: days.map((day) => prices.get(`${id} ${day}`) ?? null),
    })),
  })
}
