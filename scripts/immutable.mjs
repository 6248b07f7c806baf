// Writes the migration with the triggers that keep rows and columns as they were written. A table of a later migration gets a list of
// its own, with its own file: a deployed migration never changes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, root } from './toolchain.mjs'

const path = join(root, 'migrations/0027_immutable.sql')

const listNames = (/** @type {string} */ text) => text.trim().split(/\s+/)

/** Tables whose rows only migrations write. */
const RULES = listNames(`
  account_kinds chain_networks custody_assets custody_codes networks payment_transitions payout_stop_causes
  payout_transitions request_kinds request_transitions transfer_codes`)

const NEVER_UPDATED = listNames(`
  activity audit_blocks audit_log audit_unsealed candles chain_transactions credit_approvals custody_entries
  deposit_quotes gaps investor_notes kyc_looks lock_liftings notification_sends payout_coins payout_items
  payout_signatures payout_stops pool_covers pool_entries pool_fills pool_order_ends pool_orders pool_steps
  registrations request_events reserves strategy_events thread_entries transfers unit_movements valuations
  venue_strategies venue_transfers wallet_challenges wallet_proofs watch_challenges withdrawn_approvals
  withdrawn_payout_approvals`)

const NEVER_DELETED = listNames(`
  accounts announcements audit_blocks audit_log balance_checkpoints candles chain_transactions custody_balances
  custody_entries decision_totals deposit_addresses deposit_details deposit_quotes gaps lock_liftings
  notification_sends payments payout_coins payout_items payout_signatures payout_stops payout_transactions
  payouts pool_covers pool_entries pool_fills pool_holdings pool_order_ends pool_orders pool_steps pools
  position_history positions proposals referral_bonuses requests reserves reviewer_keys strategies
  strategy_events trading_stops transfers unit_movements unit_orders unknown_receipts valuations venue_orders
  venue_strategies venue_transfers wallet_challenges wallet_proofs wallets watch_challenges watch_wallets
  withdrawal_details withdrawn_approvals withdrawn_payout_approvals`)

/** The columns that keep their first value, by table. @type {Readonly<Record<string, string>>} */
export const FIXED_COLUMNS = {
  accounts: 'id owner kind subject',
  announcements: 'proposal topic subject text approved_at last_seq',
  deposit_addresses: 'seq id wallet position address script investor given_at',
  email_changes:
    'id user_id session_id old_email new_email old_token_hash new_token_hash created_at expires_at',
  operator_invitations: 'seq id proposal email name roles created_at',
  kyc_submissions: 'sample',
  passkey_challenges: 'challenge_hash user_id purpose context created_at expires_at',
  passkeys: 'seq id user_id credential_id public_key created_at',
  payments: 'seq id network reference seen_at needed',
  payout_transactions: 'payout version unsigned details fee built_by built_at',
  payouts: 'seq id chain wallet built_by built_at',
  positions: 'investor strategy',
  proposals: 'id kind proposed_by investor amount request payload reason seq created_at operator',
  referral_bonuses: 'invitee id referrer amount setting deposit minimum due_at matures_at',
  requests: 'seq id ref kind investor queue asked created_at',
  reviewer_keys: 'seq id user_id recipient identity method proposal created_at',
  silent_freezes: 'seq id investor reason begun_by begun_at',
  strategies: 'slug definition hash market minimum started_at band',
  unit_orders: 'seq id ref investor strategy kind cents created_at recovers',
  unknown_receipts: 'seq id chain reference address investor kind contract quantity transfers height seen_at',
  users: 'id role',
  venue_orders:
    'seq id pool_order venue side quantity limit_price most_paid believed_price bid ask priced_at sent_at expires_at',
  wallets: 'id address network coin simulated proposal seq created_at',
  watch_wallets: 'seq id chain descriptor proposal created_at',
  withdrawal_details: 'passkey',
}

/** The triggers as SQL, one a line. */
export function writeTriggers() {
  return [
    '-- Written by scripts/immutable.mjs: change its lists, then run it.',
    ...RULES.flatMap((table) =>
      ['INSERT', 'UPDATE', 'DELETE'].map((event) => refuse(event, table, 'immutable outside migrations')),
    ),
    ...NEVER_UPDATED.map((table) => refuse('UPDATE', table, 'immutable')),
    ...NEVER_DELETED.map((table) => refuse('DELETE', table, 'never deleted')),
    ...Object.entries(FIXED_COLUMNS).map(([table, columns]) => {
      const changes = listNames(columns).map((column) => `NEW.${column} IS NOT OLD.${column}`)
      const body = `BEGIN SELECT RAISE(ABORT, '${table}: immutable columns'); END;`
      return `CREATE TRIGGER ${table}_fixed_columns BEFORE UPDATE ON ${table} WHEN ${changes.join(' OR ')} ${body}`
    }),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** @param {string} event @param {string} table @param {string} reason */
function refuse(event, table, reason) {
  const name = `${table}_no_${event.toLowerCase()}`
  return `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, '${table}: ${reason}'); END;`
}

/** Whether the migration has the triggers of the lists. */
export const isWritten = () => readFileSync(path, 'utf8') === writeTriggers()

if (isMain(import.meta.url)) writeFileSync(path, writeTriggers())
