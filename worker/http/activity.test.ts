import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ACTIVITY_EVENTS } from '../../src/contract/identity/activity.ts'
import { EVENT_OF } from './audit.ts'

const worker = resolve(import.meta.dirname, '..')

const OPERATORS = 'an operator did it, from an address of theirs'

/** Acts that are in no account's activity log, each with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'account.closed': 'nobody reads a closed account',
  'account.erased': 'nobody is left to read it',
  'announcement.approved': OPERATORS,
  'audit_log.exported': OPERATORS,
  'bonus.granted': OPERATORS,
  'bonus.reversed': 'a trigger did it, with the reversal of a deposit',
  'deposit.approval_withdrawn': OPERATORS,
  'deposit.credited': OPERATORS,
  'deposit.approval_mismatched': OPERATORS,
  'deposit.first_approval': OPERATORS,
  'deposit.rejected': OPERATORS,
  'deposit.reversed': OPERATORS,
  'factor_recovery.approved': OPERATORS,
  'factor_recovery.completed': 'cron did it, and a mail says so',
  'factor_recovery.rejected': OPERATORS,
  'investor.entries_exported': OPERATORS,
  'investor.frozen': OPERATORS,
  'investor.noted': OPERATORS,
  'investor.noted_confidentially': OPERATORS,
  'investor.silently_frozen': OPERATORS,
  'investor.silent_freeze_renewed': OPERATORS,
  'investor.silent_freeze_ended': OPERATORS,
  'investor.notified': OPERATORS,
  'investor.sessions_ended': OPERATORS,
  'investor.unfrozen': OPERATORS,
  'investor.unlock_first': OPERATORS,
  'investor.viewed': OPERATORS,
  'kyc.reopened': 'the change of the profile that caused it is in the log',
  'kyc.document_shredded': 'the retention period did it',
  'kyc.document_resealed': OPERATORS,
  'kyc.document_viewed': OPERATORS,
  'message.answered': OPERATORS,
  'message.closed': OPERATORS,
  'message.continued': 'the thread shows it',
  'message.reopened': OPERATORS,
  'operator.disabled': OPERATORS,
  'operator.enabled': OPERATORS,
  'operator.factor_reset': OPERATORS,
  'operator.invitation_withdrawn': OPERATORS,
  'operator.invited': OPERATORS,
  'operator.roles_changed': OPERATORS,
  'operator.sessions_ended': OPERATORS,
  'outbox.retried': OPERATORS,
  'blocks.retried': OPERATORS,
  'passkey.counter_fell': 'the failed sign-in is told',
  'payment.closed': OPERATORS,
  'payment.returned': 'cron did it, and the payment shows it',
  'payment.undone': 'cron did it, and the payment shows it',
  'payout.built': OPERATORS,
  'payout.cancelled': OPERATORS,
  'payout.confirmed': 'cron did it',
  'payout.displaced': 'cron did it',
  'payout.failed': 'cron did it',
  'payout.release_mismatched': OPERATORS,
  'payout.released': OPERATORS,
  'payout.replaced': OPERATORS,
  'payout.signed': OPERATORS,
  'proposal.approved': OPERATORS,
  'proposal.created': OPERATORS,
  'proposal.rejected': OPERATORS,
  'redemption.not_withdrawn': 'cron could not, and a mail says so',
  'referral.lapsed': 'cron did it',
  'reviewer_key.approved': OPERATORS,
  'reviewer_key.proposed': OPERATORS,
  'reviewer_key.retired': OPERATORS,
  'settings.changed': OPERATORS,
  'strategy.resumed': OPERATORS,
  'strategy.started': 'cron did it',
  'strategy.stopped': OPERATORS,
  'strategy.suspended': 'an operator or its own rule did it',
  'trading.resumed': OPERATORS,
  'trading.stopped': OPERATORS,
  'venue.debt_paid': OPERATORS,
  'venue.trading_started': OPERATORS,
  'venue.transferred': OPERATORS,
  'wallet.added': OPERATORS,
  'wallet.challenged': OPERATORS,
  'wallet.proved': OPERATORS,
  'wallet.retired': OPERATORS,
  'watch_wallet.added': OPERATORS,
  'watch_wallet.challenged': OPERATORS,
  'watch_wallet.retired': OPERATORS,
  'withdrawal.approved': OPERATORS,
  'two_factor.code_mailed': 'the mail itself tells of it, and the second factor that follows',
  'address.code_mailed': 'the mail itself tells of it, and the change that follows',
  'withdrawal.code_mailed': 'the mail itself tells of it, and the request that follows',
  'withdrawal.completed': OPERATORS,
  'withdrawal.rejected': OPERATORS,
  'withdrawal.reversed': OPERATORS,
}

/** All acts that the code audits. */
function audited(): string[] {
  const sources = readdirSync(worker, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(worker, path), 'utf8'))
  const literal = /action:\s*(?:[\w.=! ']+\?\s*)?'([a-z_]+\.[a-z_]+)'(?:\s*:\s*'([a-z_]+\.[a-z_]+)')?/g
  const named = sources.flatMap((text) => [...text.matchAll(literal)].flatMap(([, ...names]) => names))
  return [...new Set(named)].filter((name) => name !== undefined).sort()
}

test('each audited act is in its actor’s activity log, or has a reason not to be', () => {
  const acts = audited()
  expect(acts.length).toBeGreaterThan(30)
  expect(acts.filter((act) => !(act in EVENT_OF) && !(act in ELSEWHERE))).toEqual([])
  expect(Object.keys(EVENT_OF).filter((act) => act in ELSEWHERE)).toEqual([])
})

test('each event of the contract is written by something', () => {
  const written = new Set<string>([
    ...Object.values(EVENT_OF),
    'sign_in_failed',
    'recovery_code_used',
    'factor_recovery_stopped',
  ])
  expect(ACTIVITY_EVENTS.filter((event) => !written.has(event))).toEqual([])
})
