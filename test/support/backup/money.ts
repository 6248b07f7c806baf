import type { Bucket } from '../../../scripts/backup/bucket.ts'
import { DAY_MS } from '../../../src/time.ts'
import { txid } from '../ledger/txid.ts'
import { stored } from './memoryBucket.ts'
import { OPERATOR, OTHER, type Values, type Writer } from './writer.ts'

// The largest integer that D1 returns exactly, in answers and exports.
const LARGE = 2n ** 53n - 1n

/** Deposits and withdrawals with every outcome, and bonuses. */
export async function money(db: Writer, bucket: Bucket) {
  // Two operators approve ana's large credit. Then it is reversed although half of it is spent, which leaves a debt.
  await deposit(db, bucket, 'dep-1', 'ana', 900_000)
  db.insert('credit_approvals', {
    request: 'dep-1',
    operator: OPERATOR,
    reference: txid('dep-1'),
    reference_key: txid('dep-1'),
    amount: 900_000,
    units: LARGE,
    at: db.now(),
  })
  credited(db, 'dep-1', 'ana', 900_000, { actor: OTHER, second_operator: OPERATOR })
  withdrawal(db, 'wdr-1', 'ana', 400_000)
  paid(db, 'wdr-1', 'ana', 400_000)
  db.proposal('reverse-1', 'reversal', { request: 'dep-1', reason: 'The payment was called back' })
  db.event('dep-1', 'ana', 'reversed')
  db.transfer('overdraw', 'ana:owed', 'ana:available', 400_000, 'dep-1')
  db.transfer('reverse_credit', 'ana:available', 'ana:paid_in', 900_000, 'dep-1', {
    reverses: 'dep-1:credit',
  })
  db.custody('bitcoin', -LARGE, 'reverse_in', 'dep-1')
  // Its credit repays the debt automatically.
  await deposit(db, bucket, 'dep-2', 'ana', 450_000)
  credited(db, 'dep-2', 'ana', 450_000)
  // One is reversed after it was paid. Others are cancelled, rejected, and still held, and a deposit is pending.
  withdrawal(db, 'wdr-2', 'ana', 10_000)
  paid(db, 'wdr-2', 'ana', 10_000)
  db.proposal('reverse-2', 'reversal', { request: 'wdr-2', reason: 'It came back' })
  db.event('wdr-2', 'ana', 'reversed')
  db.transfer('reverse_payout', 'ana:paid_out', 'ana:available', 10_000, 'wdr-2', {
    reverses: 'wdr-2:complete',
  })
  db.custody('bitcoin', 7, 'reverse_out', 'wdr-2')
  withdrawal(db, 'wdr-3', 'ana', 5_000)
  db.event('wdr-3', 'ana', 'cancelled', { actor: 'ana' })
  db.transfer('release', 'ana:held', 'ana:available', 5_000, 'wdr-3', { actor: 'ana' })
  withdrawal(db, 'wdr-4', 'ana', 6_000)
  db.event('wdr-4', 'ana', 'rejected')
  db.transfer('release', 'ana:held', 'ana:available', 6_000, 'wdr-4')
  withdrawal(db, 'wdr-5', 'ana', 7_000)
  // Approved, and its approval taken back.
  db.event('wdr-5', 'ana', 'approved')
  db.insert('payout_stops', { investor: 'ana', cause: 'email_changed', at: db.now() })
  await deposit(db, bucket, 'dep-3', 'ana', 12_345)
  // A bonus that two operators decided, for an investor who is now frozen, and a referral bonus for having invited them.
  db.proposal('bonus-1', 'bonus', { investor: 'ben', amount: 2_500, reason: 'Welcome' })
  db.transfer('bonus', 'ben:granted', 'ben:available', 2_500, 'bonus-1', { actor: OTHER })
  await deposit(db, bucket, 'dep-4', 'ben', 100_000)
  credited(db, 'dep-4', 'ben', 100_000)
  const at = db.now()
  db.insert('referral_bonuses', {
    invitee: 'ben',
    id: 'ref-ben',
    referrer: 'ana',
    amount: 500,
    setting: 'set',
    deposit: 'dep-4',
    minimum: 10_000,
    due_at: at,
    matures_at: at + 30 * DAY_MS,
  })
  db.run(`UPDATE referral_bonuses SET granted_at = ${at + 30 * DAY_MS} WHERE invitee = 'ben'`)
  db.transfer('bonus', 'ana:granted', 'ana:available', 500, 'ref-ben', { actor: 'system' })
  for (const person of ['cal', 'eve']) {
    await deposit(db, bucket, `dep-${person}`, person, 20_000)
    credited(db, `dep-${person}`, person, 20_000)
    withdrawal(db, `wdr-${person}`, person, 20_000)
    paid(db, `wdr-${person}`, person, 20_000)
  }
}

export async function deposit(db: Writer, bucket: Bucket, id: string, investor: string, cents: number) {
  await bucket.put(stored(`receipts/${id}`, 'image/png'), new TextEncoder().encode(`receipt of ${id}`))
  db.insert('requests', {
    id,
    ref: `REF-${id}`,
    investor,
    kind: 'deposit',
    queue: 'deposits',
    amount: cents,
    asked: cents,
    created_at: db.now(),
  })
  const payment = { coin: 'bitcoin', network: 'btc', payment_to: 'bc1new', txid: `tx-${id}` }
  db.insert('deposit_details', {
    asked_rate: '1000000000',
    request: id,
    ...payment,
    receipt_key: `receipts/${id}`,
    receipt_type: 'image/png',
  })
}

export function credited(
  db: Writer,
  id: string,
  investor: string,
  amount: number,
  by: Values = { actor: OPERATOR },
) {
  const reference = txid(id)
  const units = id === 'dep-1' ? LARGE : amount
  db.event(id, investor, 'approved', {
    amount,
    reference,
    reference_key: reference,
    units,
    units_at_rate: units,
    ...by,
  })
  db.transfer('credit', `${investor}:paid_in`, `${investor}:available`, amount, id, {
    actor: by.actor ?? null,
  })
  db.custody('bitcoin', units, 'in', id)
}

function withdrawal(db: Writer, id: string, investor: string, cents: number) {
  db.insert('requests', {
    id,
    ref: `REF-${id}`,
    investor,
    kind: 'withdrawal',
    queue: 'withdrawals',
    amount: cents,
    asked: cents,
    created_at: db.now(),
  })
  db.transfer('hold', `${investor}:available`, `${investor}:held`, cents, id, { actor: investor })
  const destination = {
    coin: 'bitcoin',
    network: 'btc',
    address: `bc1-${investor}`,
    destination_hash: `hash-${investor}`,
  }
  db.insert('withdrawal_details', { request: id, ...destination, session_id: 'gone', proof: 'totp' })
}

function paid(db: Writer, id: string, investor: string, amount: number) {
  db.event(id, investor, 'approved')
  const reference = txid(id)
  db.event(id, investor, 'completed', {
    amount,
    reference,
    reference_key: reference,
    units: 7,
    actor: OTHER,
    second_operator: OPERATOR,
  })
  db.transfer('complete', `${investor}:held`, `${investor}:paid_out`, amount, id, { actor: OTHER })
  db.custody('bitcoin', -7, 'out', id)
}
