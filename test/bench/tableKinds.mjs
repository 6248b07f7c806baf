// Where the rows of a table would be if investors lived in several databases (docs/growth.md).
import { NOT_PERSONAL } from '../../worker/identity/personalData/notPersonal.ts'

/** Written by migrations alone. */
const RULES = Object.keys(NOT_PERSONAL).filter((table) =>
  /^(?:rules of|the possible|texts of the causes)/.test(NOT_PERSONAL[table]),
)

/** Each database keeps its own. Reports add them up. */
const OWN = [
  // What happened in it, and what its jobs did.
  ...['audit_log', 'audit_unsealed', 'audit_blocks', 'witnessed_heads', 'self_checks', 'cron_work'],
  ...['sign_in_failures', 'rate_counters', 'outbox', 'counted_books', 'strategy_notices'],
  // Its operators' decisions.
  ...['proposals', 'operator_invitations', 'notification_sends', 'decision_totals', 'decision_times'],
  // Its wallets, and what they hold and owe.
  ...['wallets', 'wallet_totals', 'wallet_challenges', 'wallet_proofs', 'watch_wallets', 'watch_challenges'],
  ...[
    'custody_balances',
    'custody_entries',
    'custody_differences',
    'place_entries',
    'reconciliations',
    'ledger_days',
    'payout_pauses',
    'liability_days',
    'liability_nodes',
    'reserve_counts',
    'reserves',
  ],
  ...['bitcoin_headers', 'ethereum_positions', 'chain_servers', 'coin_spends', 'treasury_transactions'],
  ...['payouts', 'payout_transactions', 'payout_coins', 'payout_signatures'],
]

/** One place writes them, and each database has a copy to read. */
const COPIED = [
  ...['settings', 'reviewer_keys', 'market_snapshots', 'market_feeds', 'market_series', 'market_pictures'],
  ...[
    'candles',
    'current_candles',
    'candle_feeds',
    'strategies',
    'strategy_events',
    'valuations',
    'displays',
  ],
  ...['gaps', 'venue_strategies', 'trading_stops'],
]

/** One place holds them for all investors. */
const CENTRAL = [
  ...['pools', 'pool_holdings', 'pool_entries', 'pool_steps', 'pool_orders', 'pool_fills', 'pool_order_ends'],
  ...['pool_covers', 'venue_orders', 'venue_transfers', 'venue_balances', 'venue_checks', 'venue_fees'],
  ...['announcements', 'newsletter_subscribers', 'newsletter_tokens'],
]

/** Kinds of tables. An investor's are all others: each row belongs to one person, or to a request of theirs. */
export const TABLE_KINDS = {
  investor: ['name_tokens'],
  own: OWN,
  copied: COPIED,
  central: CENTRAL,
  rules: RULES,
}

for (const table of Object.keys(NOT_PERSONAL))
  if (!Object.values(TABLE_KINDS).flat().includes(table)) throw new Error(`${table} has no kind`)

/** @param {string} table @returns {keyof typeof TABLE_KINDS} */
export function kindOf(table) {
  for (const [kind, tables] of Object.entries(TABLE_KINDS)) if (tables.includes(table)) return kind
  return 'investor'
}
