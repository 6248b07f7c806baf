import * as z from 'zod/mini'
import { createNullableRow, decimal } from '../units.ts'

// The fields that we read of Kraken's answers (https://docs.kraken.com/api-reference). Others are ignored.

/** Every answer. Errors start with E, warnings with W. */
export const envelope = z.object({ error: z.array(z.string()), result: z.optional(z.unknown()) })

const seconds = z.number().check(z.gte(0))

export const time = z.object({ unixtime: seconds })

/** A mode that we do not know takes no orders. */
const mode = z.catch(
  z.enum(['online', 'maintenance', 'cancel_only', 'post_only', 'limit_only', 'reduce_only']),
  'maintenance',
)

export const systemStatus = z.object({ status: mode })

/** A pair that is traded. */
export const pairMarket = z.object({
  pair_decimals: z.int(),
  lot_decimals: z.int(),
  ordermin: z.optional(decimal),
  costmin: z.optional(decimal),
  tick_size: z.optional(decimal),
  status: mode,
})
/** The names of all pairs of Kraken. Most are not ours, so the rest of a pair is read only if it is traded. */
export const assetPairs = z.record(
  z.string(),
  createNullableRow(z.looseObject({ altname: z.string(), wsname: z.optional(z.string()) })),
)

/** The fees of pairs, in percent. */
export const tradeVolume = z.object({ fees: z.record(z.string(), z.object({ fee: decimal })) })

const level = z.tuple([decimal], z.unknown())
export const depth = z.record(z.string(), z.object({ asks: z.array(level), bids: z.array(level) }))

export const keyInfo = z.object({ permissions: z.array(z.string()) })

export const balances = z.record(z.string(), createNullableRow(z.object({ balance: decimal })))

export const placed = z.object({ txid: z.array(z.string()).check(z.minLength(1)) })

export const cancelled = z.object({ count: z.number() })

const side = z.enum(['buy', 'sell'])

export const orderRow = z.object({
  cl_ord_id: z.nullish(z.string()),
  status: z.enum(['pending', 'open', 'closed', 'canceled', 'expired']),
  descr: z.object({ pair: z.string(), type: side }),
  vol_exec: decimal,
})
const orderRows = z.record(z.string(), createNullableRow(orderRow))
export const openOrders = z.object({ open: orderRows })
export const closedOrders = z.object({ closed: orderRows, count: z.int() })
/** An order that was asked for by its id must be readable. */
export const queriedOrders = z.record(z.string(), orderRow)
export const queriedOpen = z.object({ open: queriedOrders })
export const queriedClosed = z.object({ closed: queriedOrders })

export const tradeRow = z.object({
  ordertxid: z.string(),
  pair: z.string(),
  time: seconds,
  type: side,
  price: decimal,
  vol: decimal,
})
export const trades = z.object({ trades: z.record(z.string(), createNullableRow(tradeRow)), count: z.int() })

export const entryRow = z.object({
  refid: z.string(),
  asset: z.string(),
  amount: decimal,
  fee: decimal,
})
export const entries = z.object({ ledger: z.record(z.string(), createNullableRow(entryRow)), count: z.int() })
