import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Bucket } from '../../../scripts/backup/bucket.ts'
import { buildFreshImage } from '../../../scripts/backup/tables.ts'
import { DAY_MS } from '../../../src/time.ts'
import { formatEntries, GENESIS, hashRows, sealHash } from '../../../worker/platform/audit/compare.ts'
import { invested } from './invested.ts'
import { stored } from './memoryBucket.ts'
import { money } from './money.ts'
import { FIXTURE_MS, OPERATOR, OTHER, type Writer, writer } from './writer.ts'

/** An empty database of today's schema, in a file. */
export function emptyDatabase(path: string): void {
  writeFileSync(path, buildFreshImage())
}

/**
 * A database with every kind of event: credits by one operator and by two, a reversal that left a debt and its repayment, units
 * bought, sold at a gain, at a loss and for a fee, payouts, a reversed payout, a bonus by proposal and a referral bonus, a
 * frozen, a closed and an erased person, documents, keys, sign-in data, notes, a published day, settings, and an audit log whose
 * first rows are sealed. All triggers were active, in the order of time.
 */
export async function makeFixture(path: string, bucket: Bucket): Promise<void> {
  emptyDatabase(path)
  const database = new DatabaseSync(path)
  database.exec('PRAGMA synchronous = OFF')
  const db = writer(database)
  for (const operator of [OPERATOR, OTHER]) db.person(operator, { role: 'operator' })
  db.person('ana')
  db.person('ben', { referredBy: 'ana' })
  for (const name of ['cal', 'dan', 'eve']) db.person(name)
  settings(db)
  await documents(db, bucket)
  await money(db, bucket)
  await invested(db, bucket)
  others(db)
  kept(db)
  leave(db)
  await sealed(database)
  database.close()
}

function settings(db: Writer) {
  db.proposal('set', 'settings', {
    payload: '{"referralBonus":500,"retention":{"personDays":30},"messagingNumber":"+15550100"}',
  })
  const set = (key: string, value: string) =>
    db.insert('settings', { key, value, proposal: 'set', updated_at: db.now() })
  set('referralBonus', '500')
  set('retention', '{"personDays":30}')
  set('messagingNumber', '"+15550100"')
  for (const [id, address] of [
    ['old', 'bc1old'],
    ['new', 'bc1new'],
  ]) {
    const payload = JSON.stringify({ walletName: 'bitcoin', network: 'btc', address })
    db.proposal(`wallet-${id}`, 'wallet', { payload })
    const wallet = { coin: 'bitcoin', network: 'btc', address: String(address), simulated: 0 }
    db.insert('wallets', { id: String(id), ...wallet, proposal: `wallet-${id}`, created_at: db.now() })
  }
  db.run(`UPDATE wallets SET retired_at = ${db.now()}, retired_by = '${OPERATOR}' WHERE id = 'old'`)
}

async function documents(db: Writer, bucket: Bucket) {
  for (const person of ['ana', 'ben', 'cal', 'eve']) {
    const key = `kyc/${person}`
    await bucket.put(stored(key), new Uint8Array([...key].map((_, i) => (i * 37) % 256)))
    const document = {
      document: 'Passport',
      media_type: 'application/age',
      file_key: key,
      wrapped_key: 'wrapped',
      key_version: 1,
    }
    db.insert('kyc_submissions', {
      id: `kyc-${person}`,
      ref: `KYC-${person}`,
      user_id: person,
      ...document,
      created_at: db.now(),
    })
    db.insert('kyc_looks', { submission_id: `kyc-${person}`, reviewer: OTHER, at: db.now() })
    db.run(
      `UPDATE kyc_submissions SET status = 'approved', decided_by = '${OTHER}', decided_at = ${db.now()} WHERE id = 'kyc-${person}'`,
    )
    db.act('kyc.approved', `kyc-${person}`, OTHER)
  }
}

function others(db: Writer) {
  const recipient = `age1${'q'.repeat(58)}`
  db.insert('proposals', {
    id: 'key',
    kind: 'reviewer_key',
    created_at: db.now(),
    proposed_by: OPERATOR,
    payload: JSON.stringify({ key: 'k1', recipient }),
  })
  db.insert('reviewer_keys', {
    id: 'k1',
    user_id: OPERATOR,
    recipient,
    identity: 'locked',
    method: 'passphrase',
    proposal: 'key',
    created_at: db.now(),
  })
  db.run(
    `UPDATE proposals SET status = 'approved', decided_by = '${OTHER}', decided_at = ${db.now()} WHERE id = 'key'`,
  )
  db.run(`UPDATE reviewer_keys SET approved_by = '${OTHER}', approved_at = ${db.now()} WHERE id = 'k1'`)
  db.insert('contact_messages', {
    id: 'm1',
    ref: 'MSG-1',
    name: 'Eve',
    email: 'eve@example.com',
    message: 'Hello',
    created_at: db.now(),
    opened_at: db.now(),
  })
  db.insert('thread_entries', {
    thread: 'm1',
    place: 2,
    id: 'e1',
    operator: OPERATOR,
    text: 'Good day',
    at: db.now(),
  })
  db.run(`UPDATE contact_messages SET status = 'closed', closed_by = '${OPERATOR}', closed_at = ${db.now()}`)
  db.insert('preferences', { user_id: 'ben', activity_log: 0, changed_at: db.now() })
  db.insert('activity', { id: 'a1', user_id: 'ana', at: db.now(), event: 'session.opened' })
  db.insert('sessions', {
    id: 's1',
    user_id: 'ana',
    secret_hash: 'x',
    created_at: 1,
    last_seen_at: 1,
    expires_at: 9,
  })
  db.run(`UPDATE users SET frozen_at = ${db.now()}, frozen_reason = 'Asked to' WHERE id = 'ben'`)
}

/** What stands beside the money: ways in, what is known of ana, and what was published. */
function kept(db: Writer) {
  const at = db.now()
  const of = { user_id: 'ana' }
  db.insert('second_factors', { user_id: OPERATOR, secret_sealed: '1.x', created_at: at, enabled_at: at })
  db.insert('second_factors', { ...of, secret_sealed: '1.y', created_at: at, enabled_at: at })
  db.insert('recovery_codes', { ...of, code_hash: 'code' })
  db.insert('passkeys', {
    ...of,
    id: 'pk',
    credential_id: 'credential',
    public_key: 'key',
    sign_count: 3,
    transports: 'usb',
    name: 'Key',
    backed_up: 0,
    created_at: at,
  })
  db.insert('devices', { ...of, device_hash: 'device', first_seen_at: at })
  db.insert('notifications', {
    ...of,
    title: 'Hello',
    content: '<p>You</p>',
    persistent: 0,
    created_at: at,
  })
  const destination = { investor: 'ana', destination_hash: 'hash-ana' }
  // A second factor was just turned on: a new destination waits for a day.
  db.insert('known_destinations', { ...destination, confirmed_at: at, held_until: at + DAY_MS })
  db.insert('saved_addresses', {
    ...destination,
    id: 'book',
    label: 'Mine',
    network: 'btc',
    address: 'bc1-ana',
    created_at: at,
  })
  db.insert('investor_notes', { id: 'note', investor: 'ana', author: OPERATOR, at, text: 'Called twice.' })
  const day = '2026-01-31'
  db.insert('liability_days', { day, at, investors: 1, total: 500, secret: 'day' })
  db.insert('liability_leaves', { day, investor: 'ana', balance: 500, position: 0 })
  db.insert('liability_nodes', { day, level: 0, position: 0, hash: 'leaf', sum: 500 })
  db.run(`UPDATE liability_days SET root = 'root', published_at = ${at} WHERE day = '${day}'`)
}

/** Cal and eve close their accounts, and eve is erased. */
function leave(db: Writer) {
  for (const person of ['cal', 'eve'])
    db.run(`UPDATE users SET closed_at = ${db.now()} WHERE id = '${person}'`)
  erase(db, 'eve')
  db.act('account.erased', 'eve', 'system')
}

function erase(db: Pick<Writer, 'run' | 'now'>, id: string) {
  db.run(`
    UPDATE kyc_submissions SET wrapped_key = NULL, key_version = NULL, shredded_at = ${db.now()}, file_deleted_at = ${db.now()} WHERE user_id = '${id}';
    UPDATE users SET erased_at = ${db.now()}, email = '${id}@erased.invalid', fullname = 'erased', display_name = 'Erased' WHERE id = '${id}';
    UPDATE withdrawal_details SET address = '', destination_hash = '' WHERE request = 'wdr-${id}'`)
}

/** Eve's way out, for somebody else, after a backup was made. */
export function eraseLater(path: string, id: string): void {
  const database = new DatabaseSync(path)
  let atMs = FIXTURE_MS + 900 * DAY_MS
  erase({ run: (sql) => database.exec(sql), now: () => ++atMs }, id)
  database.close()
}

async function sealed(database: DatabaseSync) {
  const rows = database
    .prepare('SELECT seq, id, at, actor, action, subject, detail FROM audit_log ORDER BY seq')
    .all()
  let previous = GENESIS
  // What came last waits for its seal.
  for (let first = 0; first + 5 <= rows.length; first += 5) {
    const covered = rows.slice(first, first + 5).map((row) => ({
      seq: Number(row.seq),
      id: String(row.id),
      at: Number(row.at),
      actor: String(row.actor),
      action: String(row.action),
      subject: String(row.subject),
      detail: String(row.detail),
    }))
    const entries = formatEntries(await hashRows(covered))
    const hash = await sealHash(previous, entries)
    const end = covered.at(-1)?.seq ?? 0
    database
      .prepare(
        'INSERT INTO audit_blocks (first_seq, last_seq, previous_hash, hash, entries, sealed_at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(covered[0]?.seq ?? 0, end, previous, hash, entries, FIXTURE_MS)
    database.prepare('DELETE FROM audit_unsealed WHERE seq <= ?').run(end)
    previous = hash
  }
}
