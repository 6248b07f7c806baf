import * as z from 'zod/mini'
import { createNullableRow, decimal } from '../units.ts'

// The fields that we read of Coinbase's answers (https://docs.cdp.coinbase.com/api-reference/advanced-trade-api). Others are ignored.

export const time = z.object({ epochMillis: z.string().check(z.regex(/^\d{13}$/)) })

export const keyPermissions = z.object({
  can_view: z.boolean(),
  can_trade: z.boolean(),
  can_transfer: z.boolean(),
  portfolio_uuid: z.string(),
})

export const product = z.object({
  product_id: z.string(),
  base_increment: decimal,
  price_increment: z.optional(decimal),
  quote_increment: decimal,
  base_min_size: decimal,
  quote_min_size: decimal,
  is_disabled: z.optional(z.boolean()),
  trading_disabled: z.optional(z.boolean()),
  cancel_only: z.optional(z.boolean()),
  limit_only: z.optional(z.boolean()),
  post_only: z.optional(z.boolean()),
})
export const products = z.object({ products: z.array(createNullableRow(product)) })

/** The fee as a share: `0.012`. */
export const transactionSummary = z.object({ fee_tier: z.object({ taker_fee_rate: decimal }) })

const level = z.object({ price: decimal })
export const productBook = z.object({ pricebook: z.object({ bids: z.array(level), asks: z.array(level) }) })

/** What every page of a list says about the rest of it. */
const page = {
  cursor: z.optional(z.string()),
  /** Lists of fills lack it. */
  has_next: z.optional(z.boolean()),
  /** Coinbase hides rows until the account's owner proves who they are. */
  proof_token_required: z.optional(z.boolean()),
}

const amount = z.object({ value: decimal, currency: z.string() })
export const accountRow = z.object({
  currency: z.string(),
  available_balance: amount,
  hold: amount,
  type: z.optional(z.string()),
  retail_portfolio_id: z.optional(z.string()),
})
export const accounts = z.object({ ...page, accounts: z.array(createNullableRow(accountRow)) })

export const created = z.union([
  z.object({ success: z.literal(true), success_response: z.object({ order_id: z.string() }) }),
  z.object({
    success: z.literal(false),
    error_response: z.object({
      error: z.optional(z.string()),
      new_order_failure_reason: z.optional(z.string()),
      preview_failure_reason: z.optional(z.string()),
    }),
  }),
])

export const cancelled = z.object({
  results: z.array(
    z.object({ success: z.boolean(), order_id: z.string(), failure_reason: z.optional(z.string()) }),
  ),
})

const side = z.enum(['BUY', 'SELL'])

export const orderRow = z.object({
  order_id: z.string(),
  client_order_id: z.optional(z.string()),
  product_id: z.string(),
  side,
  status: z.string(),
  filled_size: decimal,
  created_time: z.string(),
})
export const order = z.object({ order: orderRow })
export const orders = z.object({
  ...page,
  orders: z.array(createNullableRow(orderRow)),
  has_next: z.boolean(),
})

export const fillRow = z.object({
  trade_id: z.string(),
  order_id: z.string(),
  product_id: z.string(),
  side,
  trade_time: z.string(),
  trade_type: z.string(),
  price: decimal,
  size: decimal,
  commission: decimal,
  size_in_quote: z.optional(z.boolean()),
})
export const fills = z.object({ ...page, fills: z.array(createNullableRow(fillRow)) })
