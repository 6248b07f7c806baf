import { DatabaseSync } from 'node:sqlite'
import { digestsOf, entriesOf, GENESIS, sealHash } from '../../../worker/operator/audit/chain.ts'
import { type Bucket, digest } from '../bucket.ts'
import { freshDatabase } from '../tables.ts'

const DAY_MS = 86_400_000
// The most that D1 itself tells exactly, in answers and in exports.
const LARGE = 2n ** 53n - 1n
const SCENE_MS = Date.UTC(2026, 0, 5)
const [OPERATOR, OTHER] = ['op1', 'op2']

/** A bucket in memory. */
export function memoryBucket(): Bucket & { readonly files: Map<string, Uint8Array<ArrayBuffer>> } {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const metadata = new Map<string, Record<string, string>>()
  return {
    files,
    async get(key) {
      const bytes = files.get(key)
      if (bytes === undefined) return null
      const httpMetadata = metadata.get(key) ?? {}
      return {
        bytes,
        file: { key, size: bytes.length, sha256: digest(bytes), httpMetadata, customMetadata: {} },
      }
    },
    async put({ key, httpMetadata }, bytes) {
      files.set(key, bytes)
      metadata.set(key, { ...httpMetadata })
    },
    async delete(key) {
      files.delete(key)
    },
    isEmpty: async () => files.size === 0,
    close: async () => undefined,
  }
}

/** An empty database of today's schema, in a file. */
export function emptyDatabase(path: string): void {
  const fresh = freshDatabase()
  fresh.exec(`VACUUM INTO '${path}'`)
  fresh.close()
}

/**
 * A database that has seen everything: credits by one operator and by two, a reversal that left a debt and its repayment,
 * units bought, sold at a gain, for a fee and at a loss, payouts, one taken back, a bonus by proposal and one by invitation, a frozen, a closed and an erased person, documents,
 * keys, ways in, notes, a published day, settings, an audit log whose first rows are sealed. Written through every trigger, in the order of time.
 */
export async function makeScene(path: string, bucket: Bucket): Promise<void> {
  emptyDatabase(path)
  const database = new DatabaseSync(path)
  database.exec('PRAGMA synchronous = OFF')
  const scene = writer(database)
  for (const operator of [OPERATOR, OTHER]) scene.person(operator, { role: 'operator' })
  scene.person('ana')
  scene.person('ben', { referredBy: 'ana' })
  for (const name of ['cal', 'dan', 'eve']) scene.person(name)
  settings(scene)
  await documents(scene, bucket)
  await money(scene, bucket)
  await invested(scene, bucket)
  others(scene)
  kept(scene)
  leave(scene)
  await sealed(database)
  database.close()
}

type Writer = ReturnType<typeof writer>
type Values = Record<string, null | number | bigint | string>

function writer(database: DatabaseSync) {
  let atMs = SCENE_MS
  const insert = (table: string, values: Values) => {
    const names = Object.keys(values)
    database
      .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
      .run(...Object.values(values))
  }
  const scene = {
    insert,
    run: (sql: string) => database.exec(sql),
    /** Each thing a day after the one before. */
    now: () => {
      atMs += DAY_MS
      return atMs
    },
    person(id: string, { role = 'investor', referredBy = null as string | null } = {}) {
      const at = scene.now()
      insert('users', {
        id,
        role,
        operator_roles: role === 'operator' ? 'reviewer treasurer administrator' : '',
        email: `${id}@example.com`,
        fullname: `${id} o'neil`,
        display_name: `${id} O'Neil\nline two`,
        phone: '+441234567890',
        country: 'Åland',
        password_hash: 'x',
        created_at: at,
        referral_code: `code-${id}`,
        referred_by: referredBy,
      })
      for (const kind of role === 'investor' ? ACCOUNT_KINDS : [])
        insert('accounts', { id: `${id}:${kind}`, owner: id, kind })
    },
    act(action: string, subject: string, actor = OPERATOR) {
      const at = scene.now()
      insert('audit_log', { id: `audit-${at}`, at, actor, action, subject, detail: '{"cents":100}' })
    },
    proposal(id: string, kind: string, more: Values) {
      insert('proposals', { id, kind, created_at: scene.now(), proposed_by: OPERATOR, ...more })
      scene.run(
        `UPDATE proposals SET status = 'approved', decided_by = '${OTHER}', decided_at = ${scene.now()} WHERE id = '${id}'`,
      )
    },
    event(request: string, investor: string, status: string, more: Values = {}) {
      insert('request_events', { request, investor, status, at: scene.now(), actor: OPERATOR, ...more })
      scene.act(`request.${status}`, request)
    },
    transfer(code: string, from: string, to: string, amount: number, ref: string, more: Values = {}) {
      const id = `${ref}:${code}`
      const moved = { from_account: from, to_account: to, amount, code, ref, at: scene.now() }
      insert('transfers', { id, actor: OPERATOR, ...moved, ...more })
    },
    custody(asset: string, quantity: number | bigint, code: string, ref: string) {
      insert('custody_entries', { id: `${ref}:${code}`, asset, quantity, code, ref, at: scene.now() })
    },
  }
  return scene
}

const ACCOUNT_KINDS = ['available', 'held', 'paid_in', 'granted', 'paid_out', 'fees', 'owed']

function settings(scene: Writer) {
  scene.proposal('set', 'settings', { payload: '{"referralBonus":500,"retention":{"personDays":30}}' })
  const set = (key: string, value: string) =>
    scene.insert('settings', { key, value, proposal: 'set', updated_at: scene.now() })
  set('referralBonus', '500')
  set('retention', '{"personDays":30}')
  scene.insert('settings', { key: 'messagingNumber', value: '"+15550100"', updated_at: scene.now() })
  for (const [id, address] of [
    ['old', 'bc1old'],
    ['new', 'bc1new'],
  ]) {
    const payload = JSON.stringify({ walletName: 'bitcoin', network: 'btc', address })
    scene.proposal(`wallet-${id}`, 'wallet', { payload })
    const wallet = { coin: 'bitcoin', network: 'btc', address: String(address), simulated: 0 }
    scene.insert('wallets', { id: String(id), ...wallet, proposal: `wallet-${id}`, created_at: scene.now() })
  }
  scene.run(`UPDATE wallets SET retired_at = ${scene.now()}, retired_by = '${OPERATOR}' WHERE id = 'old'`)
}

async function documents(scene: Writer, bucket: Bucket) {
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
    scene.insert('kyc_submissions', {
      id: `kyc-${person}`,
      ref: `KYC-${person}`,
      user_id: person,
      ...document,
      created_at: scene.now(),
    })
    scene.insert('kyc_looks', { submission_id: `kyc-${person}`, reviewer: OTHER, at: scene.now() })
    scene.run(
      `UPDATE kyc_submissions SET status = 'approved', decided_by = '${OTHER}', decided_at = ${scene.now()} WHERE id = 'kyc-${person}'`,
    )
    scene.act('kyc.approved', `kyc-${person}`, OTHER)
  }
}

async function money(scene: Writer, bucket: Bucket) {
  // Two operators for ana's large credit; then it is taken back although half of it is gone, which leaves a debt.
  await deposit(scene, bucket, 'dep-1', 'ana', 900_000)
  scene.insert('credit_approvals', {
    request: 'dep-1',
    operator: OPERATOR,
    reference: 'TX1',
    reference_key: 'tx1',
    amount: 900_000,
    at: scene.now(),
  })
  credited(scene, 'dep-1', 'ana', 900_000, { actor: OTHER, second_operator: OPERATOR })
  withdrawal(scene, 'wdr-1', 'ana', 400_000)
  paid(scene, 'wdr-1', 'ana', 400_000)
  scene.proposal('reverse-1', 'reversal', { request: 'dep-1', reason: 'The payment was called back' })
  scene.event('dep-1', 'ana', 'reversed')
  scene.transfer('overdraw', 'ana:owed', 'ana:available', 400_000, 'dep-1')
  scene.transfer('reverse_credit', 'ana:available', 'ana:paid_in', 900_000, 'dep-1', {
    reverses: 'dep-1:credit',
  })
  scene.custody('bitcoin', -LARGE, 'reverse_in', 'dep-1')
  await deposit(scene, bucket, 'dep-2', 'ana', 450_000)
  credited(scene, 'dep-2', 'ana', 450_000)
  scene.transfer('repay', 'ana:available', 'ana:owed', 400_000, 'dep-2')
  // Taken back after it was paid; another cancelled, one rejected, one still held, one deposit still waiting.
  withdrawal(scene, 'wdr-2', 'ana', 10_000)
  paid(scene, 'wdr-2', 'ana', 10_000)
  scene.proposal('reverse-2', 'reversal', { request: 'wdr-2', reason: 'It came back' })
  scene.event('wdr-2', 'ana', 'reversed')
  scene.transfer('reverse_payout', 'ana:paid_out', 'ana:available', 10_000, 'wdr-2', {
    reverses: 'wdr-2:complete',
  })
  scene.custody('bitcoin', 7, 'reverse_out', 'wdr-2')
  withdrawal(scene, 'wdr-3', 'ana', 5_000)
  scene.event('wdr-3', 'ana', 'cancelled', { actor: 'ana' })
  scene.transfer('release', 'ana:held', 'ana:available', 5_000, 'wdr-3', { actor: 'ana' })
  withdrawal(scene, 'wdr-4', 'ana', 6_000)
  scene.event('wdr-4', 'ana', 'rejected')
  scene.transfer('release', 'ana:held', 'ana:available', 6_000, 'wdr-4')
  withdrawal(scene, 'wdr-5', 'ana', 7_000)
  await deposit(scene, bucket, 'dep-3', 'ana', 12_345)
  // A bonus that two decided, for somebody who is frozen by now, and one for having invited them.
  scene.proposal('bonus-1', 'bonus', { investor: 'ben', amount: 2_500, reason: 'Welcome' })
  scene.transfer('bonus', 'ben:granted', 'ben:available', 2_500, 'bonus-1', { actor: OTHER })
  await deposit(scene, bucket, 'dep-4', 'ben', 100_000)
  credited(scene, 'dep-4', 'ben', 100_000)
  scene.insert('referral_bonuses', {
    invitee: 'ben',
    id: 'ref-ben',
    referrer: 'ana',
    amount: 500,
    setting: 'set',
    deposit: 'dep-4',
    due_at: scene.now(),
  })
  scene.run(`UPDATE referral_bonuses SET granted_at = ${scene.now()} WHERE invitee = 'ben'`)
  scene.transfer('bonus', 'ana:granted', 'ana:available', 500, 'ref-ben', { actor: 'system' })
  for (const person of ['cal', 'eve']) {
    await deposit(scene, bucket, `dep-${person}`, person, 20_000)
    credited(scene, `dep-${person}`, person, 20_000)
    withdrawal(scene, `wdr-${person}`, person, 20_000)
    paid(scene, `wdr-${person}`, person, 20_000)
  }
}

/** Dan's money in a strategy and back: each thing a day after the one before, so that each order is priced by the next open. */
async function invested(scene: Writer, bucket: Bucket) {
  await deposit(scene, bucket, 'dep-dan', 'dan', 100_000)
  credited(scene, 'dep-dan', 'dan', 100_000)
  const of = { investor: 'dan', strategy: 'slow' }
  scene.insert('strategies', {
    slug: 'slow',
    definition: '{"assets":["sim-index"]}',
    hash: 'definition',
    market: 'simulated',
    minimum: 1000,
    started_at: scene.now(),
  })
  let previous = 'definition'
  const value = (kind: string, price: number, units: number, day: number, recordedAt: number) => {
    const ends: Values = kind === 'open' ? { issue_price: price, redeem_price: price } : {}
    const worth = { units, net_value: (price * units) / 1e6, weights: '{}' }
    const link = { previous, hash: `${kind}-${day}` }
    scene.insert('valuations', {
      ...{
        strategy: 'slow',
        day,
        kind,
        unit_price: price,
        ...ends,
        ...worth,
        recorded_at: recordedAt,
        ...link,
      },
    })
    previous = link.hash
    return day
  }
  const order = (id: string, kind: string, cents: number | null, onward: string | null = null) =>
    scene.insert('unit_orders', { id, ref: `REF-${id}`, ...of, kind, cents, created_at: scene.now(), onward })
  const move = (ref: string, code: string, day: number, moved: Values) =>
    scene.insert('unit_movements', { id: `${ref}:units`, ref, ...of, code, day, at: day, ...moved })
  const trade = (side: string, day: number, cash: number, price: number) => {
    const id = `${side}-${day}`
    const traded = { asset: 'sim-index', side, quantity: 100_000_000 }
    scene.insert('pool_orders', { id, strategy: 'slow', day, ...traded, at: day })
    const costs = { fee: 750_000, slippage: 300_000 }
    scene.insert('pool_fills', { id, pool_order: id, quantity: 100_000_000, price, ...costs, cash, at: day })
  }
  const done = (day: number) => scene.insert('pool_steps', { strategy: 'slow', day, at: day })

  order('alc-1', 'allocate', 50_000)
  order('alc-2', 'allocate', 20_000)
  scene.run(
    "UPDATE unit_orders SET status = 'cancelled', decided_by = 'dan', decided_at = created_at + 60000 WHERE id = 'alc-2'",
  )
  const first = scene.now()
  value('open', 100_000_000, 0, first, first)
  move('alc-1', 'issue', first, {
    ...{ units: 5_000_000, price: 100_000_000, cents: 50_000, cost: 50_000, high_water: 100_000_000 },
  })
  trade('buy', first, -300_750_000, 300)
  done(first)
  value('close', 102_000_000, 5_000_000, first, scene.now())
  order('rdm-1', 'redeem', 10_000)
  const second = scene.now()
  value('open', 104_000_000, 5_000_000, second, second)
  move('rdm-1', 'redeem', second, {
    ...{ units: -961_539, price: 104_000_000, cents: 10_000, cost: 9_615, high_water: 100_000_000 },
  })
  move('fee-1', 'fee', second, {
    ...{ units: -1_000, price: 104_000_000, cents: 10, cost: 10, high_water: 104_000_000 },
  })
  done(second)
  order('rdm-2', 'redeem', null, '{"way":"bank","fields":{"accountNumber":"1"}}')
  const third = scene.now()
  value('open', 90_000_000, 4_037_461, third, third)
  trade('sell', third, 269_325_000, 270)
  move('rdm-2', 'redeem', third, {
    ...{ units: -4_037_461, price: 90_000_000, cents: 36_337, cost: 40_375, high_water: 104_000_000 },
  })
  done(third)
  order('alc-3', 'allocate', 1_500)
  const reason = 'Below the band'
  scene.insert('strategy_events', {
    strategy: 'slow',
    at: scene.now(),
    kind: 'suspended',
    reason,
    actor: 'system',
  })
}

async function deposit(scene: Writer, bucket: Bucket, id: string, investor: string, cents: number) {
  await bucket.put(stored(`receipts/${id}`, 'image/png'), new TextEncoder().encode(`receipt of ${id}`))
  scene.insert('requests', {
    id,
    ref: `REF-${id}`,
    investor,
    kind: 'deposit',
    queue: 'deposits',
    amount: cents,
    asked: cents,
    created_at: scene.now(),
  })
  const payment = { coin: 'bitcoin', network: 'btc', payment_to: 'bc1new', txid: `tx-${id}` }
  scene.insert('deposit_details', {
    request: id,
    ...payment,
    receipt_key: `receipts/${id}`,
    receipt_type: 'image/png',
  })
}

function credited(
  scene: Writer,
  id: string,
  investor: string,
  amount: number,
  by: Values = { actor: OPERATOR },
) {
  const reference = id === 'dep-1' ? 'tx1' : `ref-${id}`
  scene.event(id, investor, 'approved', { amount, reference, reference_key: reference, ...by })
  scene.transfer('credit', `${investor}:paid_in`, `${investor}:available`, amount, id, {
    actor: by.actor ?? null,
  })
  scene.custody('bitcoin', id === 'dep-1' ? LARGE : amount, 'in', id)
}

function withdrawal(scene: Writer, id: string, investor: string, cents: number) {
  scene.insert('requests', {
    id,
    ref: `REF-${id}`,
    investor,
    kind: 'withdrawal',
    queue: 'withdrawals',
    amount: cents,
    asked: cents,
    created_at: scene.now(),
  })
  scene.transfer('hold', `${investor}:available`, `${investor}:held`, cents, id, { actor: investor })
  const destination = {
    coin: 'bitcoin',
    network: 'btc',
    address: `bc1-${investor}`,
    destination_hash: `hash-${investor}`,
  }
  scene.insert('withdrawal_details', { request: id, ...destination, session_id: 'gone', proof: 'totp' })
}

function paid(scene: Writer, id: string, investor: string, amount: number) {
  scene.event(id, investor, 'approved')
  const reference = `paid-${id}`
  scene.event(id, investor, 'completed', {
    amount,
    reference,
    reference_key: reference,
    actor: OTHER,
    second_operator: OPERATOR,
  })
  scene.transfer('complete', `${investor}:held`, `${investor}:paid_out`, amount, id, { actor: OTHER })
  scene.custody('bitcoin', -7, 'out', id)
}

function others(scene: Writer) {
  const recipient = `age1${'q'.repeat(58)}`
  scene.insert('proposals', {
    id: 'key',
    kind: 'reviewer_key',
    created_at: scene.now(),
    proposed_by: OPERATOR,
    payload: JSON.stringify({ key: 'k1', recipient }),
  })
  scene.insert('reviewer_keys', {
    id: 'k1',
    user_id: OPERATOR,
    recipient,
    identity: 'locked',
    method: 'passphrase',
    proposal: 'key',
    created_at: scene.now(),
  })
  scene.run(
    `UPDATE proposals SET status = 'approved', decided_by = '${OTHER}', decided_at = ${scene.now()} WHERE id = 'key'`,
  )
  scene.run(`UPDATE reviewer_keys SET approved_by = '${OTHER}', approved_at = ${scene.now()} WHERE id = 'k1'`)
  scene.insert('contact_messages', {
    id: 'm1',
    name: 'Eve',
    email: 'eve@example.com',
    message: 'Hello',
    created_at: scene.now(),
  })
  scene.run(
    `UPDATE contact_messages SET status = 'closed', closed_by = '${OPERATOR}', closed_at = ${scene.now()}`,
  )
  scene.insert('preferences', { user_id: 'ben', activity_log: 0, changed_at: scene.now() })
  scene.insert('activity', { id: 'a1', user_id: 'ana', at: scene.now(), event: 'signed_in' })
  scene.insert('sessions', {
    id: 's1',
    user_id: 'ana',
    secret_hash: 'x',
    created_at: 1,
    last_seen_at: 1,
    expires_at: 9,
  })
  scene.run(`UPDATE users SET frozen_at = ${scene.now()}, frozen_reason = 'Asked to' WHERE id = 'ben'`)
}

/** What stands beside the money: ways in, what is known of ana, and what was published. */
function kept(scene: Writer) {
  const at = scene.now()
  const of = { user_id: 'ana' }
  scene.insert('second_factors', { user_id: OPERATOR, secret_sealed: '1.x', created_at: at, enabled_at: at })
  scene.insert('second_factors', { ...of, secret_sealed: '1.y', created_at: at, enabled_at: at })
  scene.insert('recovery_codes', { ...of, code_hash: 'code' })
  scene.insert('passkeys', {
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
  scene.insert('devices', { ...of, device_hash: 'device', first_seen_at: at })
  scene.insert('notifications', {
    ...of,
    title: 'Hello',
    content: '<p>You</p>',
    persistent: 0,
    created_at: at,
  })
  const destination = { investor: 'ana', destination_hash: 'hash-ana' }
  scene.insert('known_destinations', { ...destination, confirmed_at: at })
  scene.insert('saved_addresses', {
    ...destination,
    id: 'book',
    label: 'Mine',
    network: 'btc',
    address: 'bc1-ana',
    created_at: at,
  })
  scene.insert('investor_notes', { id: 'note', investor: 'ana', author: OPERATOR, at, text: 'Called twice.' })
  const day = '2026-01-31'
  scene.insert('liability_days', { day, at, investors: 1, total: 500, secret: 'day' })
  scene.insert('liability_leaves', { day, investor: 'ana', balance: 500, position: 0 })
  scene.insert('liability_nodes', { day, level: 0, position: 0, hash: 'leaf', sum: 500 })
  scene.run(`UPDATE liability_days SET root = 'root', published_at = ${at} WHERE day = '${day}'`)
}

/** Cal and eve close their accounts, and eve is erased. */
function leave(scene: Writer) {
  for (const person of ['cal', 'eve'])
    scene.run(`UPDATE users SET closed_at = ${scene.now()} WHERE id = '${person}'`)
  erase(scene, 'eve')
  scene.act('account.erased', 'eve', 'system')
}

function erase(scene: Pick<Writer, 'run' | 'now'>, id: string) {
  scene.run(`
    UPDATE kyc_submissions SET wrapped_key = NULL, key_version = NULL, shredded_at = ${scene.now()}, file_deleted_at = ${scene.now()} WHERE user_id = '${id}';
    UPDATE users SET erased_at = ${scene.now()}, email = '${id}@erased.invalid', fullname = 'erased', display_name = 'Erased' WHERE id = '${id}';
    UPDATE withdrawal_details SET address = '', destination_hash = '' WHERE request = 'wdr-${id}'`)
}

/** Eve's way out, for somebody else, after a backup was made. */
export function eraseLater(path: string, id: string): void {
  const database = new DatabaseSync(path)
  let atMs = SCENE_MS + 900 * DAY_MS
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
    const entries = entriesOf(await digestsOf(covered))
    const hash = await sealHash(previous, entries)
    const end = covered.at(-1)?.seq ?? 0
    database
      .prepare(
        'INSERT INTO audit_blocks (first_seq, last_seq, previous_hash, hash, entries, sealed_at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(covered[0]?.seq ?? 0, end, previous, hash, entries, SCENE_MS)
    database.prepare('DELETE FROM audit_unsealed WHERE seq <= ?').run(end)
    previous = hash
  }
}

function stored(key: string, contentType = 'application/octet-stream') {
  return { key, size: 0, sha256: '', httpMetadata: { contentType }, customMetadata: {} }
}
