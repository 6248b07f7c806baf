// Fills a scratch database with investors, each with the same life: 20 ledger entries in 25 days, times one to five.

import { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../../src/time.ts'

/** Lives begin this many days ago. The seeded strategies are 60 days old. */
const BEGAN_DAYS = 58
const STRATEGY = 'hold-the-index'
/** Micro-USD for a unit. */
const PRICE = 100_000_000
/** Entries of everybody's ledger. */
export const ENTRIES = 20

/** Requests: number, kind, end, cents, the days of filing, approval and end. */
const REQUESTS = [
  [1, 'deposit', 'approved', 10_000, 0, 1, 1],
  [2, 'deposit', 'approved', 10_000, 2, 3, 3],
  [3, 'withdrawal', 'completed', 2_000, 6, 7, 8],
  [4, 'deposit', 'approved', 10_000, 9, 10, 10],
  [5, 'withdrawal', 'cancelled', 1_000, 13, null, 14],
  [6, 'deposit', 'approved', 10_000, 15, 16, 16],
  [7, 'withdrawal', 'completed', 2_000, 19, 20, 21],
]
/** Orders for units: number, cents, the days of filing and settlement. */
const ORDERS = [
  [1, 3_000, 4, 5],
  [2, 3_000, 11, 12],
  [3, 3_000, 17, 18],
  [4, 3_000, 22, 23],
  [5, 3_000, 24, 25],
]
/** The state of one investor in a hundred each: a request that waits, with its kind, status and cents. */
const WAITING = [
  [0, 'deposit', 'pending', 5_000],
  [1, 'withdrawal', 'pending', 500],
  [2, 'withdrawal', 'approved', 500],
]
const WAITING_DAY = 30

/** Names are made of these syllables, so that some share a word and nobody is real. */
const FIRST = names(
  ['an', 'be', 'ca', 'di', 'el', 'fa', 'gi', 'ha', 'io', 'ju'],
  ['a', 'na', 'ro', 'li', 'mon'],
  600,
)
const LAST = names(
  ['al', 'bru', 'cor', 'del', 'est', 'fer', 'gar', 'hol', 'kov', 'lin'],
  ['mar', 'to', 'va', 'ski', 'sen', 'ez'],
  4_000,
)

/**
 * Adds investors, a multiple of a hundred. Without `isPacked` every row goes through the indexes in the order of time, as on a
 * running platform, so that pages are as full as there. With it, indexes are made afterwards and pages are full.
 *
 * @param {string} file
 * @param {{ count: number, isPacked: boolean, auditLines: number, log: (text: string) => void }} options
 */
export function addInvestors(file, { count, isPacked, auditLines, log }) {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  const run = (/** @type {string} */ sql) => {
    const began = performance.now()
    database.exec(sql)
    const seconds = (performance.now() - began) / 1000
    if (seconds > 5) log(`${seconds.toFixed(0)} s: ${sql.trim().slice(0, 60).replaceAll('\n', ' ')}`)
  }
  const value = (/** @type {string} */ sql) => {
    const [only] = Object.values(database.prepare(sql).get() ?? {})
    return only
  }
  for (const pragma of [
    'journal_mode = OFF',
    'synchronous = OFF',
    'cache_size = -3000000',
    'locking_mode = EXCLUSIVE',
  ])
    database.exec(`PRAGMA ${pragma}`)
  // What the triggers of `users` derive is derived here too. They read the new row alone.
  const triggers = objects(database, "type = 'trigger' AND tbl_name <> 'users'")
  const indexes = isPacked ? objects(database, "type = 'index' AND sql IS NOT NULL") : []
  for (const { name } of triggers) run(`DROP TRIGGER "${name}"`)
  for (const { name } of indexes) run(`DROP INDEX "${name}"`)
  fill({ run, value, count, auditLines, sorted: isPacked })
  log('rows are in')
  for (const { sql } of indexes) run(sql)
  for (const { sql } of triggers) run(sql)
  run('ANALYZE')
  // The platform has no statistics either.
  run('DROP TABLE sqlite_stat1')
  database.exec('PRAGMA locking_mode = NORMAL')
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
}

/** @param {DatabaseSync} database @param {string} which @returns {{ name: string, sql: string }[]} */
function objects(database, which) {
  const rows = database.prepare(`SELECT name, sql FROM sqlite_master WHERE ${which} ORDER BY rowid`).all()
  return rows.map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))
}

/**
 * @param {{ run: (sql: string) => void, value: (sql: string) => any, count: number, auditLines: number, sorted: boolean }} filling
 */
function fill({ run, value, count, auditLines, sorted }) {
  const top = (/** @type {string} */ table) => Number(value(`SELECT coalesce(max(seq), 0) FROM ${table}`))
  const [users, requests, transfers, orders, movements, entries, custody] = [
    'users',
    'requests',
    'transfers',
    'unit_orders',
    'unit_movements',
    'pool_entries',
    'custody_entries',
  ].map(top)
  const base = Math.floor(Date.now() / DAY_MS) * DAY_MS - BEGAN_DAYS * DAY_MS
  const operator = value("SELECT id FROM users WHERE email = 'operator@example.com'")
  const wallet = value("SELECT address FROM wallets WHERE network = 'usdt-trc20'")
  const order = (/** @type {string} */ columns) => (sorted ? `ORDER BY ${columns}` : '')
  const id = uuid()
  const at = (/** @type {string} */ day) => `(${base} + ${day} * ${DAY_MS} + n.jitter)`
  const openAt = (/** @type {string} */ day) => `(${base} + ${day} * ${DAY_MS} + 60000)`

  run(`CREATE TEMP TABLE first_names (i INTEGER PRIMARY KEY, name TEXT); ${insertAll('first_names', FIRST)}`)
  run(`CREATE TEMP TABLE last_names (i INTEGER PRIMARY KEY, name TEXT); ${insertAll('last_names', LAST)}`)
  // `i` counts from 0. `m` is how many times the common amounts.
  run(`CREATE TEMP TABLE made (i INTEGER PRIMARY KEY, id TEXT, first TEXT, last TEXT, m INTEGER, jitter INTEGER);
    INSERT INTO made SELECT c.i, ${id}, f.name, l.name, 1 + c.i % 5, (c.i * 7919 % 80000 + 120) * 1000
    FROM (WITH RECURSIVE c (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM c WHERE i < ${count - 1}) SELECT i FROM c) c
      JOIN first_names f ON f.i = (c.i + ${users}) * 31 % ${FIRST.length} JOIN last_names l ON l.i = (c.i + ${users}) * 17 % ${LAST.length}`)
  run(`INSERT INTO users (seq, id, role, email, fullname, fullname_folded, display_name_folded, display_name, phone, country, address, password_hash, email_verified_at,
      created_at, referral_code, terms_version, terms_accepted_at, kyc_status)
    SELECT ${users + 1} + i, id, 'investor', first || '.' || last || '.' || (${users} + i) || '@example.com',
      first || ' ' || last, first || ' ' || last, first || ' ' || last, upper(substr(first, 1, 1)) || substr(first, 2) || ' ' || upper(substr(last, 1, 1)) || substr(last, 2),
      '+41 79 ' || (${users} + i + 1000000), 'Switzerland', 'Example Street ' || (1 + i % 200) || ', 8000 Zurich',
      (SELECT password_hash FROM users WHERE email = 'investor@example.com'), ${at('-1')}, ${at('-1')}, printf('r%07x', ${users} + i),
      '1', ${at('-1')}, iif(i % 100 = 3, 'pending', 'approved') FROM made n`)
  run(`INSERT INTO sessions (id, user_id, secret_hash, created_at, last_seen_at, expires_at, ip, user_agent)
    SELECT ${id}, id, lower(hex(randomblob(32))), ${at('24')}, ${at('24')}, ${at('25')}, '203.0.113.9', 'Mozilla/5.0 (X11; Linux x86_64)'
    FROM made n`)
  run(`INSERT INTO devices (user_id, device_hash, first_seen_at, last_seen_at)
    SELECT id, lower(hex(randomblob(32))), ${at('-1')}, ${at('24')} FROM made n ${order('id')}`)
  run(`INSERT INTO kyc_submissions (id, ref, user_id, status, document, media_type, file_key, wrapped_key, key_version, created_at,
      decided_by, decided_at)
    SELECT ${id}, 'KYC-' || ${scrambled('n.i', users)}, id, iif(i % 100 = 3, 'pending', 'approved'), 'Passport', 'image/jpeg',
      'kyc/' || ${id}, '1.' || lower(hex(randomblob(32))), 1, ${at('-1')}, iif(i % 100 = 3, NULL, '${operator}'),
      iif(i % 100 = 3, NULL, ${at('0')}) FROM made n`)
  run(`INSERT INTO outbox (id, recipient, subject, created_at, attempts, delivered_at)
    SELECT ${id}, email, 'Your deposit was credited', created_at, 1, created_at
    FROM users CROSS JOIN (SELECT value FROM json_each('[1,2,3,4,5,6,7,8]')) WHERE seq > ${users}`)

  run(`CREATE TEMP TABLE life (r INTEGER PRIMARY KEY, kind TEXT, status TEXT, cents INTEGER, filed INTEGER, approved INTEGER, ended INTEGER);
    ${insertRows('life', REQUESTS)}`)
  const reference = 'lower(hex(randomblob(32)))'
  run(`INSERT INTO requests (seq, id, ref, investor, kind, queue, status, amount, asked, created_at)
    SELECT ${requests} + (l.r - 1) * ${count} + n.i + 1, ${id}, iif(l.kind = 'deposit', 'DEP-', 'WDR-') || ${scrambled(`((l.r - 1) * ${count} + n.i)`, requests)},
      n.id, l.kind, l.kind || 's', l.status, l.cents * n.m, l.cents * n.m, ${at('l.filed')} FROM life l CROSS JOIN made n`)
  // Each request with its place in the investor's life.
  const filed = `FROM life l CROSS JOIN made n CROSS JOIN requests q ON q.seq = ${requests} + (l.r - 1) * ${count} + n.i + 1`
  run(`INSERT INTO request_events (request, status, at, actor, investor, amount, reference, reference_key, units, units_at_rate)
    SELECT request, status, at, actor, investor, amount, reference, reference, units, units FROM (
      SELECT q.id AS request, 'pending' AS status, q.created_at AS at, n.id AS actor, n.id AS investor, NULL AS amount,
        NULL AS reference, NULL AS units ${filed}
      UNION ALL SELECT q.id, 'approved', ${at('l.approved')}, '${operator}', n.id, iif(q.queue = 'deposits', q.amount, NULL),
        iif(q.queue = 'deposits', ${reference}, NULL), iif(q.queue = 'deposits', q.amount * 10000, NULL)
        ${filed} WHERE l.approved IS NOT NULL
      UNION ALL SELECT q.id, l.status, ${at('l.ended')}, iif(l.status = 'cancelled', n.id, '${operator}'), n.id,
        iif(l.status = 'cancelled', NULL, q.amount), iif(l.status = 'cancelled', NULL, ${reference}), NULL
        ${filed} WHERE q.queue = 'withdrawals')
    ${order('request, status')}`)
  run(`INSERT INTO deposit_details (request, coin, network, payment_to, txid, receipt_key, receipt_type, quantity, rate)
    SELECT q.id, 'usdt', 'usdt-trc20', '${wallet}', ${reference}, 'receipts/' || lower(hex(randomblob(12))), 'image/png',
      CAST(q.amount / 100 AS TEXT), '1' ${filed} WHERE q.queue = 'deposits' ${order('q.id')}`)
  run(`INSERT INTO withdrawal_details (request, coin, network, address, destination_hash, session_id, proof, quantity, rate)
    SELECT q.id, 'usdt', 'usdt-trc20', 'T' || substr(${reference}, 1, 33), ${reference}, n.id, 'email',
      iif(l.status = 'completed', CAST(q.amount / 100 AS TEXT), NULL), iif(l.status = 'completed', '1', NULL)
    ${filed} WHERE q.queue = 'withdrawals' ${order('q.id')}`)
  run(`INSERT INTO custody_entries (id, asset, quantity, code, ref, at)
    SELECT q.id || ':' || iif(q.queue = 'deposits', 'in', 'out'), 'usdt', iif(q.queue = 'deposits', 1, -1) * q.amount * 10000,
      iif(q.queue = 'deposits', 'in', 'out'), q.id, ${at('l.ended')} ${filed} WHERE l.status <> 'cancelled'`)
  run(`UPDATE custody_balances SET last_entry = (SELECT max(seq) FROM custody_entries WHERE asset = 'usdt'),
    balance = balance + (SELECT sum(quantity) FROM custody_entries WHERE seq > ${custody} AND asset = 'usdt') WHERE asset = 'usdt'`)
  run(`INSERT INTO wallet_totals (network, address) VALUES ('usdt-trc20', '${wallet}') ON CONFLICT DO NOTHING;
    UPDATE wallet_totals SET deposits = deposits + ${4 * count}, waiting = waiting + ${count / 100}, credited = credited + (
      SELECT sum(q.amount) ${filed} WHERE q.queue = 'deposits') WHERE network = 'usdt-trc20' AND address = '${wallet}'`)

  run(
    `CREATE TEMP TABLE buys (o INTEGER PRIMARY KEY, cents INTEGER, filed INTEGER, settled INTEGER); ${insertRows('buys', ORDERS)}`,
  )
  run(`INSERT INTO unit_orders (seq, id, ref, investor, strategy, kind, cents, status, created_at, decided_at, decided_by, day)
    SELECT ${orders} + (b.o - 1) * ${count} + n.i + 1, ${id}, 'ALC-' || ${scrambled(`((b.o - 1) * ${count} + n.i)`, orders)}, n.id,
      '${STRATEGY}', 'allocate', b.cents * n.m, 'settled', ${at('b.filed')}, ${openAt('b.settled')}, 'system', ${base} + b.settled * ${DAY_MS}
    FROM buys b CROSS JOIN made n`)
  const bought = `FROM buys b CROSS JOIN made n CROSS JOIN unit_orders q ON q.seq = ${orders} + (b.o - 1) * ${count} + n.i + 1`
  const units = (/** @type {string} */ cents) => `(${cents} * ${10_000_000_000 / PRICE})`
  run(`INSERT INTO positions (investor, strategy, units, cost, high_water, last_movement)
    SELECT id, '${STRATEGY}', ${units('15000 * m')}, 15000 * m, ${PRICE}, ${movements} + 4 * ${count} + i + 1 FROM made n ${order('id')}`)
  run(`INSERT INTO unit_movements (seq, id, investor, strategy, code, units, price, cents, cost, high_water, day, ref, at)
    SELECT ${movements} + (b.o - 1) * ${count} + n.i + 1, q.id || ':units', n.id, '${STRATEGY}', 'issue', ${units('q.cents')}, ${PRICE},
      q.cents, q.cents, ${PRICE}, q.day, q.id, ${openAt('b.settled')} ${bought}`)
  run(`INSERT INTO position_history (investor, strategy, at, seq, units, cost, last_movement)
    SELECT n.id, '${STRATEGY}', ${openAt('b.settled')}, ${movements} + (b.o - 1) * ${count} + n.i + 1, ${units('3000 * b.o * n.m')},
      3000 * b.o * n.m, ${movements} + (b.o - 1) * ${count} + n.i + 1 FROM buys b CROSS JOIN made n ${order('n.id, b.o')}`)
  run(`INSERT INTO pool_entries (seq, id, strategy, code, cash, units, ref, at)
    SELECT ${entries} + (b.o - 1) * ${count} + n.i + 1, q.id || ':units', '${STRATEGY}', 'issue', q.cents * 10000, ${units('q.cents')},
      q.id || ':units', ${openAt('b.settled')} ${bought}`)
  run(`UPDATE pools SET units = units + (SELECT sum(units) FROM pool_entries WHERE seq > ${entries}),
    cash = cash + (SELECT sum(cash) FROM pool_entries WHERE seq > ${entries}), last_entry = (SELECT max(seq) FROM pool_entries)
    WHERE strategy = '${STRATEGY}'`)

  const posts = postings()
  run(`CREATE TEMP TABLE posts (k INTEGER PRIMARY KEY, source TEXT, number INTEGER, code TEXT, from_kind TEXT, to_kind TEXT,
      cents INTEGER, day INTEGER, opens INTEGER, actor TEXT); ${insertRows('posts', posts)}`)
  // As for requests: the k-th entries of everybody, then the next ones.
  const seq = (/** @type {string} */ k) => `(${transfers} + (${k} - 1) * ${count} + n.i + 1)`
  const postedAt = `iif(p.opens, ${openAt('p.day')}, ${at('p.day')})`
  run(`INSERT INTO transfers (seq, id, from_account, to_account, amount, code, ref, actor, at)
    SELECT ${seq('p.k')}, q.id || ':' || p.code, n.id || ':' || p.from_kind, n.id || ':' || p.to_kind, p.cents * n.m, p.code, q.id,
      CASE p.actor WHEN 'investor' THEN n.id WHEN 'operator' THEN '${operator}' ELSE 'system' END, ${postedAt}
    FROM posts p CROSS JOIN made n CROSS JOIN requests q ON q.seq = ${requests} + (p.number - 1) * ${count} + n.i + 1
    WHERE p.source = 'request'
    UNION ALL
    SELECT ${seq('p.k')}, q.id || ':' || p.code, n.id || ':' || p.from_kind, n.id || ':' || p.to_kind, p.cents * n.m, p.code, q.id,
      CASE p.actor WHEN 'investor' THEN n.id ELSE 'system' END, ${postedAt}
    FROM posts p CROSS JOIN made n CROSS JOIN unit_orders q ON q.seq = ${orders} + (p.number - 1) * ${count} + n.i + 1
    WHERE p.source = 'order'
    ORDER BY 1`)

  // What waits: requests of some investors, two kinds of which hold money.
  run(
    `CREATE TEMP TABLE waits (remainder INTEGER PRIMARY KEY, kind TEXT, status TEXT, cents INTEGER); ${insertRows('waits', WAITING)}`,
  )
  const all = requests + REQUESTS.length * count
  run(`INSERT INTO requests (seq, id, ref, investor, kind, queue, status, amount, asked, created_at)
    SELECT ${all} + w.remainder * ${count / 100} + n.i / 100 + 1, ${id}, iif(w.kind = 'deposit', 'DEP-', 'WDR-') || ${scrambled(`(w.remainder * ${count / 100} + n.i / 100)`, all)},
      n.id, w.kind, w.kind || 's', w.status, w.cents * n.m, w.cents * n.m, ${at(String(WAITING_DAY))}
    FROM made n JOIN waits w ON w.remainder = n.i % 100`)
  const waiting = `FROM requests q JOIN made n ON n.id = q.investor WHERE q.seq > ${all}`
  run(`INSERT INTO request_events (request, status, at, actor, investor)
    SELECT q.id, 'pending', q.created_at, n.id, n.id ${waiting}
    UNION ALL SELECT q.id, 'approved', q.created_at + 60000, '${operator}', n.id ${waiting} AND q.status = 'approved'`)
  run(`INSERT INTO deposit_details (request, coin, network, payment_to, txid, receipt_key, receipt_type)
    SELECT q.id, 'usdt', 'usdt-trc20', '${wallet}', ${reference}, 'receipts/' || lower(hex(randomblob(12))), 'image/png'
    ${waiting} AND q.queue = 'deposits'`)
  run(`INSERT INTO withdrawal_details (request, coin, network, address, destination_hash, session_id, proof)
    SELECT q.id, 'usdt', 'usdt-trc20', 'T' || substr(${reference}, 1, 33), ${reference}, n.id, 'email' ${waiting} AND q.queue = 'withdrawals'`)
  const held = `(${transfers + ENTRIES * count} + n.i / 100 * 2 + n.i % 100)`
  run(`INSERT INTO transfers (seq, id, from_account, to_account, amount, code, ref, actor, at)
    SELECT ${held}, q.id || ':hold', n.id || ':available', n.id || ':held', q.amount, 'hold', q.id, n.id, q.created_at
    ${waiting} AND q.queue = 'withdrawals' ORDER BY 1`)

  const holds = 'n.i % 100 IN (1, 2)'
  const accounts = balancesOf(posts).map(
    ({
      kind,
      cents,
      last,
    }) => `SELECT n.id || ':${kind}', n.id, '${kind.split(':')[0]}', '${kind.split(':')[1] ?? ''}',
      ${cents} * n.m ${held500(kind)}, ${last === 0 ? 0 : isCash(kind) ? `iif(${holds}, ${held}, ${seq(String(last))})` : seq(String(last))} FROM made n`,
  )
  for (const account of accounts)
    run(`INSERT INTO accounts (id, owner, kind, subject, balance, last_transfer) ${account} ${order('n.id')}`)

  // Before each entry, which is the first of its day, and after all of them.
  run(`CREATE TEMP TABLE points (k INTEGER PRIMARY KEY, available, held, allocating, invested, net_paid_in, day, opens);
    ${insertRows('points', pointsOf(posts))}`)
  run(`INSERT INTO balance_checkpoints (owner, at, seq, entries, available, held, allocating, invested, owed, net_paid_in, last_transfer)
    SELECT n.id, iif(p.opens, ${openAt('p.day')}, ${at('p.day')}), ${seq('p.k')}, p.k - 1, p.available * n.m, p.held * n.m,
      p.allocating * n.m, p.invested * n.m, 0, p.net_paid_in * n.m, ${seq('p.k')}
    FROM points p CROSS JOIN made n WHERE p.k <= ${ENTRIES} ${order('n.id, p.k')}`)
  run(`INSERT INTO balance_checkpoints (owner, at, seq, entries, available, held, allocating, invested, owed, net_paid_in, last_transfer)
    SELECT n.id, ${at(String(WAITING_DAY))}, ${held}, ${ENTRIES}, p.available * n.m, p.held * n.m, p.allocating * n.m, p.invested * n.m, 0,
      p.net_paid_in * n.m, ${held} FROM points p CROSS JOIN made n WHERE p.k = ${ENTRIES + 1} AND ${holds}`)
  run(`INSERT INTO balance_checkpoints (owner, at, seq, entries, available, held, allocating, invested, owed, net_paid_in, last_transfer)
    SELECT n.id, 9007199254740991, 9007199254740991, ${ENTRIES} + (${holds}), p.available * n.m - iif(${holds}, 500 * n.m, 0),
      p.held * n.m + iif(${holds}, 500 * n.m, 0), p.allocating * n.m, p.invested * n.m, 0, p.net_paid_in * n.m,
      iif(${holds}, ${held}, ${seq(String(ENTRIES))}) FROM points p CROSS JOIN made n WHERE p.k = ${ENTRIES + 1} ${order('n.id')}`)

  const lines = top('audit_log')
  run(`INSERT INTO audit_log (id, at, actor, action, subject, detail)
    SELECT ${id}, ${at('v.value')}, n.id, 'deposit.requested', ${id}, '{"amountCents":' || n.m * 10000 || '}'
    FROM (SELECT value FROM json_each('${JSON.stringify(Array.from({ length: auditLines }, (_, line) => line))}')) v CROSS JOIN made n`)
  // In order, because the table is keyed by the number.
  run(`INSERT INTO audit_unsealed (seq, id, at, actor, action, subject, detail)
    SELECT seq, id, at, actor, action, subject, detail FROM audit_log WHERE seq > ${lines}`)
  for (const table of ['first_names', 'last_names', 'made', 'life', 'buys', 'posts', 'waits', 'points'])
    run(`DROP TABLE temp.${table}`)
}

/** Two kinds of waiting withdrawals move money from one account to the other. @param {string} kind */
function held500(kind) {
  const sign = { available: '-', held: '+' }[kind]
  return sign === undefined ? '' : `${sign} iif(n.i % 100 IN (1, 2), 500 * n.m, 0)`
}

/** @param {string} kind */
function isCash(kind) {
  return kind === 'available' || kind === 'held'
}

/** The entries of a life in order: number, what caused it, code, accounts, cents, day, whether at the open, and who did it. */
function postings() {
  const [allocating, invested] = [`allocating:${STRATEGY}`, `invested:${STRATEGY}`]
  /** @type {[string, number, string, string, string, number, number, number, string][]} */
  const posts = []
  for (const [r, kind, status, cents, filed, , ended] of REQUESTS) {
    const of = (code, from, to, day, actor) =>
      posts.push(['request', r, code, from, to, cents, day, 0, actor])
    if (kind === 'deposit') of('credit', 'paid_in', 'available', ended, 'operator')
    else {
      of('hold', 'available', 'held', filed, 'investor')
      if (status === 'completed') of('complete', 'held', 'paid_out', ended, 'operator')
      else of('release', 'held', 'available', ended, 'investor')
    }
  }
  for (const [o, cents, filed, settled] of ORDERS)
    posts.push(
      ['order', o, 'allocate', 'available', allocating, cents, filed, 0, 'investor'],
      ['order', o, 'invest', allocating, invested, cents, settled, 1, 'system'],
    )
  return posts.toSorted((a, b) => a[6] - b[6]).map((post, index) => [index + 1, ...post])
}

/** The accounts that everybody has, with their balance in cents and the last entry. @param {ReturnType<typeof postings>} posts */
function balancesOf(posts) {
  const kinds = ['available', 'held', 'paid_in', 'granted', 'paid_out', 'fees', 'owed']
  kinds.push(...['allocating', 'invested', 'result'].map((kind) => `${kind}:${STRATEGY}`))
  return kinds.map((kind) => {
    let [cents, last] = [0, 0]
    for (const [k, , , , from, to, amount] of posts) {
      if (from !== kind && to !== kind) continue
      cents += to === kind ? amount : -amount
      last = k
    }
    return { kind, cents, last }
  })
}

/** The balances before each entry, and after the last one. @param {ReturnType<typeof postings>} posts */
function pointsOf(posts) {
  const sums = { available: 0, held: 0, allocating: 0, invested: 0, net_paid_in: 0 }
  const points = []
  for (const [k, , , , from, to, cents, day, opens] of [...posts, [posts.length + 1]]) {
    points.push([k, ...Object.values(sums), day ?? null, opens ?? null])
    if (cents === undefined) break
    for (const [kind, signed] of [
      [from, -cents],
      [to, cents],
    ]) {
      const [name] = kind.split(':')
      if (name in sums) sums[name] += signed
      if (name === 'paid_in' || name === 'paid_out') sums.net_paid_in -= signed
    }
  }
  return points
}

/** A random UUID in SQL, new for each row. */
function uuid() {
  return `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2)
    || '-' || hex(randomblob(6)))`
}

/** Eight characters that are different for each number below 2³² and in no order. @param {string} number @param {number} from */
function scrambled(number, from) {
  return `printf('%08X', (${number} + ${from} + 1) * 2654435761 % 4294967296)`
}

/** @param {readonly string[]} starts @param {readonly string[]} parts @param {number} count */
function names(starts, parts, count) {
  return Array.from({ length: count }, (_, i) => {
    let name = starts[i % starts.length] ?? ''
    for (let rest = Math.floor(i / starts.length); ; rest = Math.floor(rest / parts.length)) {
      name += parts[rest % parts.length]
      if (rest < parts.length) return name
    }
  })
}

/** @param {string} table @param {readonly string[]} values */
function insertAll(table, values) {
  return insertRows(
    table,
    values.map((value, index) => [index, value]),
  )
}

/** @param {string} table @param {readonly (readonly (string | number | null)[])[]} rows */
function insertRows(table, rows) {
  const texts = rows.map(
    (row) =>
      `(${row.map((value) => (typeof value === 'string' ? `'${value}'` : String(value).replace('null', 'NULL'))).join(', ')})`,
  )
  return `INSERT INTO ${table} VALUES ${texts.join(', ')}`
}
