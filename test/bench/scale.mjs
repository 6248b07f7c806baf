// Bytes, rows read and times with many investors: `node test/bench/scale.mjs [--investors 10000,100000] [--audit-lines 24]`

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { VAULT_KEYS } from '../../scripts/workerd.mjs'
import { DAY_MS } from '../../src/time.ts'
import { newSessionToken } from '../../worker/http/sessionToken.ts'
import { print, startPlatform } from './platform.mjs'
import { addInvestors, ENTRIES } from './scale/fill.mjs'

const { values: options } = parseArgs({
  options: {
    investors: { type: 'string', default: '10000,100000' },
    /** Lines of the audit log of each investor. They are half of the file, and no call reads them all. */
    'audit-lines': { type: 'string', default: '24' },
    /** Runs of a job that needs several, before the rest is left. */
    runs: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
})
const SIZES = options.investors.split(',').map(Number)
const AUDIT_LINES = Number(options['audit-lines'])
const TRIES = 5
const SECRET = 'scale-benchmark-secret'
const GIGABYTE = 1e9
/** The largest database of D1 (https://developers.cloudflare.com/d1/platform/limits/). */
const MOST_BYTES = 10 * GIGABYTE

/** Jobs in the order in which the cron runs them, without those that only wait for other servers. */
const JOBS = [
  'outbox',
  'auditLog',
  'auditWitness',
  'cleanUp',
  'retention',
  'wrappingKeys',
  'onward',
  'factorRecovery',
  'referrals',
  'announcements',
  'decisionTimes',
  'books',
  'liabilities',
  'selfCheck',
  'strategies',
  'payments',
  'payouts',
  'reserves',
]

const platform = await startPlatform('test/bench/scale/worker.ts', { inside: tmpdir() })
let { address, database } = platform
let there = 0
try {
  for (const size of SIZES) await measureSize(size)
} finally {
  await platform.stop()
}

/** @param {number} size */
async function measureSize(size) {
  const log = (/** @type {string} */ text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)
  log(`adding ${size - there} investors`)
  let bytes = 0
  ;({ address, database } = await platform.whileStopped(async (folder) => {
    const file = databaseIn(folder)
    // The first ones go through every index, like those of a running platform. That is too slow for more than memory holds.
    addInvestors(file, { count: size - there, isPacked: size > 10_000, auditLines: AUDIT_LINES, log })
    bytes = statSync(file).size
    if (size <= 10_000) print(bytesByTable(file, size))
  }))
  const perInvestor = bytes / size
  log(
    `${size} investors, ${ENTRIES} entries each: ${(bytes / GIGABYTE).toFixed(2)} GB, ${Math.round(perInvestor)} bytes an investor, ${Math.floor(MOST_BYTES / perInvestor)} investors in 10 GB`,
  )
  there = size
  // Within ten minutes after there are many accounts, the cron has counted them.
  await costOfJob('books')
  const calls = await callsTo(await sessions())
  const rows = {}
  for (const [what, path, headers] of calls)
    if (what.includes(options.only)) rows[what] = await costOfCall(path, headers)
  print(rows)
  const jobs = {}
  for (const job of JOBS) if (job.includes(options.only)) jobs[job] = await costOfJob(job)
  print(jobs)
  const { results } = await database.prepare('SELECT name, finding FROM self_checks WHERE ok = 0').all()
  if (results.length > 0) console.log('Findings of the self-check:', results)
}

/** Sessions of the newest investor and of an operator with every role, as headers. */
async function sessions() {
  const { id } = await database
    .prepare(
      "SELECT id FROM users WHERE role = 'investor' AND kyc_status = 'approved' ORDER BY seq DESC LIMIT 1",
    )
    .first()
  const operator = await database
    .prepare("SELECT id FROM users WHERE email = 'operator@example.com'")
    .first('id')
  const hash = createHash('sha256').update(SECRET).digest('hex')
  const now = Date.now()
  const headers = {}
  for (const [name, user] of [
    ['investor', id],
    ['operator', operator],
  ]) {
    const session = `scale-${name}-${there}`
    await database
      .prepare(
        'INSERT INTO sessions (id, user_id, secret_hash, created_at, last_seen_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .bind(session, user, hash, now, now, now + DAY_MS)
      .run()
    const token = await newSessionToken({ VAULT_KEYS }, { id: session, secret: SECRET, userId: user })
    headers[name] = { Authorization: `Bearer ${token}` }
  }
  return headers
}

/** @param {{ investor: Record<string, string>, operator: Record<string, string> }} headers */
async function callsTo({ investor, operator }) {
  const newest = await database
    .prepare("SELECT * FROM users WHERE role = 'investor' ORDER BY seq DESC LIMIT 1")
    .first()
  const oldest = await database
    .prepare(
      "SELECT * FROM users WHERE role = 'investor' AND email LIKE '%.%.%@example.com' ORDER BY seq LIMIT 1",
    )
    .first()
  const ref = await database
    .prepare('SELECT ref FROM requests WHERE investor = ? LIMIT 1')
    .bind(oldest.id)
    .first('ref')
  const [first, last] = oldest.fullname.split(' ')
  const day = (/** @type {number} */ ago) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
  const q = encodeURIComponent
  const of = (/** @type {Record<string, string>} */ who, /** @type {Record<string, string>} */ paths) =>
    Object.entries(paths).map(([what, path]) => /** @type {const} */ ([what, path, who]))
  return [
    ...of(investor, {
      'user-info': '/users/user-info',
      history: '/transaction-history',
      'history, filtered': '/transaction-history?kind=withdrawal&status=completed',
      statement: `/statements?from=${day(60)}&to=${day(30)}`,
      'value of a year': '/users/value-history?days=365',

      allocations: '/allocations',
      'admin wallets': '/admin-wallets',
      referrals: '/users/referrals',
      activity: '/users/activity',
      notifications: '/users/notifications',
      'proof of liabilities': '/users/liability-proof',
    }),
    ...of(operator, {
      'waiting counts': '/operator/waiting',
      overview: '/operator/overview',
      'work list': '/operator/work',
      'queue: deposits, pending': '/operator/deposits?status=pending&order=oldest',
      'queue: deposits, all': '/operator/deposits',
      'queue: withdrawals, pending': '/operator/withdrawals?status=pending&order=oldest',
      'queue: withdrawals, approved': '/operator/withdrawals?status=approved',
      'queue: withdrawals, completed': '/operator/withdrawals?status=completed',
      'queue: identity, pending': '/operator/kyc?status=pending&order=oldest',
      'queue: messages': '/operator/messages?status=open',
      'queue: proposals': '/operator/proposals?status=pending',
      'queue: payments': '/operator/payments',
      'queue: recoveries': '/operator/factor-recoveries',
      investors: '/operator/investors',
      'investors, frozen': '/operator/investors?account=frozen',
      'investors, identity pending': '/operator/investors?kyc=pending',
      'investor’s file': `/operator/investors/${oldest.id}`,
      'search: e-mail address': `/operator/investors?query=${q(oldest.email)}`,
      'search: whole name': `/operator/investors?query=${q(oldest.fullname)}`,
      'search: a last name of some': `/operator/investors?query=${q(last)}`,
      'search: a first name of many': `/operator/investors?query=${q(first)}`,
      'search: one letter': '/operator/investors?query=a',
      'search: a middle of names': `/operator/investors?query=${q(last.slice(2))}`,
      'search: nobody': '/operator/investors?query=nobodyhasthis',
      'search: any part, nobody': '/operator/investors?query=nobodyhasthis&anywhere=true',
      'search: phone': `/operator/investors?query=${q(newest.phone)}`,
      'search: reference': `/operator/investors?query=${ref}`,
      'search of everything: name': `/operator/search ${JSON.stringify({ query: last })}`,
      'search of everything: amount': '/operator/search {"query":"100"}',
      'search of everything: nobody': '/operator/search {"query":"nobodyhasthis"}',
      'search of deposits: name': `/operator/deposits?query=${q(last)}`,
      'search of deposits: one letter': '/operator/deposits?query=a',
      'search of deposits: nobody': '/operator/deposits?query=nobodyhasthis',
      'search of withdrawals: name': `/operator/withdrawals?status=pending&query=${q(last)}`,
      'search of identities: name': `/operator/kyc?query=${q(last)}`,
      'search of identities: one letter': '/operator/kyc?query=a',
      'trial balance': '/operator/ledger/trial-balance',
      'audit log': '/operator/audit-log',
      'audit log, one action': '/operator/audit-log?action=deposit.requested',
      health: '/operator/health',
      strategies: '/operator/strategies',
      'readers of an announcement': '/operator/announcements/reach?topic=tips',
    }),
    ...of(
      {},
      {
        liabilities: '/liabilities',
        'decision times': '/decision-times',
        'strategies, public': '/strategies',
      },
    ),
  ]
}

/** @param {string} body @param {Record<string, string>} headers */
function post(body, headers) {
  return { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body }
}

/** @param {string} call a path of a GET, or a path and the JSON that is posted to it @param {Record<string, string>} headers */
async function costOfCall(call, headers) {
  const [path, json] = call.split(/ (.*)/s)
  const request = json === undefined ? { headers } : post(json, headers)
  const times = []
  let counted = {}
  let status = 0
  for (let i = 0; i < TRIES; i++) {
    const began = performance.now()
    const response = await fetch(`${address}/api/v1${path}`, request)
    await response.arrayBuffer()
    times.push(performance.now() - began)
    counted = JSON.parse(response.headers.get('X-D1') ?? '{}')
    status = response.status
    // One try of what takes very long.
    if ((times[0] ?? 0) > 5_000) break
  }
  times.sort((a, b) => a - b)
  return {
    'rows read': counted.rowsRead,
    'median ms': times[Math.floor(times.length / 2)],
    ...(status !== 200 && { status }),
  }
}

/** The first runs of a job, a minute apart, and the costliest of them. @param {string} job */
async function costOfJob(job) {
  // The next whole ten minutes, because some jobs run only then, a day later for each size, because others run once a day.
  const start = Math.ceil(Date.now() / 600_000) * 600_000 + SIZES.indexOf(there) * DAY_MS
  const worst = { 'rows read': 0, 'rows written': 0, ms: 0, 'processor ms': 0, 'peak MB': 0 }
  let runs = 0
  for (; runs < Number(options.runs); runs++) {
    resetPeaks()
    const cpu = platform.cpuSeconds()
    const before = peakMegabytes()
    const began = performance.now()
    const response = await fetch(`${address}/bench/jobs/${job}?at=${start + runs * 60_000}`, {
      method: 'POST',
    })
    if (!response.ok) throw new Error(`${job}: ${response.status} ${await response.text()}`)
    const { rowsRead, rowsWritten } = await response.json()
    const run = {
      'rows read': rowsRead,
      'rows written': rowsWritten,
      ms: performance.now() - began,
      'processor ms': (platform.cpuSeconds() - cpu) * 1000,
      'peak MB': peakMegabytes() - before,
    }
    for (const [what, cost] of Object.entries(run)) worst[what] = Math.max(worst[what], cost)
  }
  const failed = await database
    .prepare('SELECT error FROM cron_work WHERE name = ? AND error IS NOT NULL')
    .bind(job)
    .first('error')
  return { ...worst, ...(failed !== null && { failed }) }
}

/** Of all workerd processes of this one, which hold Worker and database. */
function peakMegabytes() {
  let kilobytes = 0
  for (const pid of platform.processes())
    kilobytes += Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  return kilobytes / 1024
}

/** Makes the present memory the peak. Linux only. */
function resetPeaks() {
  for (const pid of platform.processes()) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The database's file. @param {string} folder */
function databaseIn(folder) {
  const [name] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /d1.*[0-9a-f]{64}\.sqlite$/.test(path),
  )
  if (name === undefined) throw new Error(`There is no database in ${folder}.`)
  return join(folder, name)
}

/** Bytes an investor of each table with its indexes, the largest first; small ones together. @param {string} file @param {number} size */
function bytesByTable(file, size) {
  const opened = new DatabaseSync(file, { readOnly: true })
  const rows = opened
    .prepare(`SELECT m.tbl_name AS name, sum(s.pgsize) AS bytes FROM dbstat s JOIN sqlite_master m ON m.name = s.name
      WHERE s.aggregate = TRUE GROUP BY 1 ORDER BY 2 DESC LIMIT 20`)
    .all()
  opened.close()
  return Object.fromEntries(
    rows.map(({ name, bytes }) => [name, { 'bytes an investor': Number(bytes) / size }]),
  )
}
