// 500 signed-in investors at once, nine reads to one write, with rate limits. `node test/bench/load.mjs [--minutes 10] [--clients 500]
// [--every 5] [--refuse 30]`: `every` is each client's pause in seconds, `refuse` the seconds in the middle during which the database
// refuses every call.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import { chanceOf } from '../simulator/lane/chance.ts'
import { OVERVIEW, SCREENS } from './month.mjs'
import { formOf, print, startPlatform } from './platform.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '500' },
    every: { type: 'string', default: '5' },
    refuse: { type: 'string', default: '0' },
  },
})
const [minutes, count, every, refuse] = [values.minutes, values.clients, values.every, values.refuse].map(
  Number,
)
const READS_OF_TEN = 9
/** Of the calls of a client whose address others share. An address may send 60 messages an hour. */
const MESSAGES = 0.04
const PATIENCE_MS = 60_000
/** A code is good for one withdrawal. */
const WITHDRAWAL_PAUSE_MS = 61_000
const MINUTE_MS = 60_000

const platform = await startPlatform('test/bench/loadWorker.ts', { seed: false })
const { address, database } = platform
/** @type {{ token: string, secret: string }[]} */
const people = []
while (people.length < count) people.push(...(await post('/bench/people?count=50')))
people.length = count
await post('/bench/cron')
const { results: wallets } = await database
  .prepare("SELECT network, address FROM wallets WHERE network = 'usdt-trc20'")
  .all()
const [wallet] = wallets
const before = await writtenRows()

/** One entry for each request. @type {{ kind: string, status: number, startMs: number, ms: number, isOwnLimit: boolean, isShaped: boolean }[]} */
const requests = []
/** Keys of writes that were accepted, by kind. @type {Map<string, Set<string>>} */
const accepted = new Map()
/** @type {{ minute: number, mb: number }[]} */
const memory = []
const startMs = Date.now()
const endMs = startMs + minutes * MINUTE_MS
let refusedFromMs = Number.POSITIVE_INFINITY
let refusedUntilMs = Number.POSITIVE_INFINITY

const watch = setInterval(
  () => memory.push({ minute: (Date.now() - startMs) / MINUTE_MS, mb: megabytes() }),
  10_000,
)
const cron = setInterval(() => void post('/bench/cron').catch(() => {}), MINUTE_MS)
if (refuse > 0)
  setTimeout(
    async () => {
      refusedFromMs = Date.now()
      refusedUntilMs = (await post(`/bench/refuse?seconds=${refuse}`)).untilMs
    },
    (minutes * MINUTE_MS) / 2,
  )
await Promise.all(people.map((_, n) => live(n)))
clearInterval(watch)
clearInterval(cron)

// The self-check goes through everything in pages, one page of each a minute.
for (let run = 0; run < 40; run++) await post('/bench/cron')
const { results: findings } = await database
  .prepare('SELECT name, finding FROM self_checks WHERE finding IS NOT NULL')
  .all()
const written = await writtenRows()
await platform.stop()
report()

/** One investor's ten minutes. @param {number} n */
async function live(n) {
  const chance = chanceOf('load', n).share
  // One client in ten shares one address with the others of its tenth, and so meets the limits.
  const client = {
    ...people[n],
    ip: n % 10 === 0 ? '203.0.113.7' : `10.0.${n >> 8}.${n & 255}`,
    isShared: n % 10 === 0,
  }
  await wait(chance() * every * 1000)
  while (Date.now() < endMs) {
    if (client.isShared && chance() < MESSAGES) await send(client, 'POST', '/contact-us', message(n))
    else if (chance() * 10 < READS_OF_TEN) {
      const screens = [{ calls: OVERVIEW }, ...SCREENS, { calls: ['/market/coins'] }]
      const { calls } = screens[Math.floor(chance() * screens.length)]
      await send(client, 'GET', calls[Math.floor(chance() * calls.length)])
    } else await write(client, chance())
    await wait((0.5 + chance()) * every * 1000)
  }
}

/** @param {number} n */
function message(n) {
  return JSON.stringify({ name: `Client ${n}`, email: `client${n}@example.com`, message: 'How do I begin?' })
}

/** A write with its key, repeated as the site does while the answer is that it should be tried later. */
async function write(client, chance) {
  const key = crypto.randomUUID()
  const mayWithdraw = chance >= 0.7 && Date.now() - (client.withdrewMs ?? 0) > WITHDRAWAL_PAUSE_MS
  if (mayWithdraw) client.withdrewMs = Date.now()
  const [kind, path, body] =
    chance < 0.4 || (chance >= 0.7 && !mayWithdraw)
      ? [
          'deposits',
          '/deposits',
          () =>
            formOf({ type: 'usdt', amount: '250.00', paymentTo: wallet.address, network: wallet.network }),
        ]
      : chance < 0.7
        ? ['allocations', '/allocations', () => JSON.stringify({ strategy: 'slow-trend', amount: '20.00' })]
        : [
            'withdrawals',
            '/withdrawals',
            () =>
              JSON.stringify({
                type: 'bitcoin',
                network: 'btc',
                address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
                amount: '20.00',
                code: new TOTP({ secret: Secret.fromBase32(client.secret) }).generate(),
              }),
          ]
  for (const untilMs = Date.now() + PATIENCE_MS; Date.now() < untilMs; await wait(1000)) {
    const status = await send(client, 'POST', path, body(), key)
    if (status < 300) {
      const keys = accepted.get(kind) ?? new Set()
      accepted.set(kind, keys.add(key))
      return
    }
    if (status !== 503) return
  }
}

async function send(client, method, path, body, key) {
  const headers = new Headers({
    Authorization: `Bearer ${client.token}`,
    'CF-Connecting-IP': client.ip,
    Origin: 'https://evenkeel.test',
  })
  if (key !== undefined) headers.set('Idempotency-Key', key)
  if (typeof body === 'string') headers.set('Content-Type', 'application/json')
  const [sentMs, from] = [Date.now(), performance.now()]
  const response = await fetch(`${address}/api/v1${path}`, { method, headers, body })
  const text = await response.text()
  const { status } = response
  requests.push({
    kind: method === 'GET' ? 'reads' : 'writes',
    path,
    status,
    startMs: sentMs,
    ms: performance.now() - from,
    isOwnLimit: status === 429 && client.isShared,
    isShaped: status < 400 || isRefusal(text),
    text: status < 400 ? '' : text.slice(0, 200),
  })
  return status
}

/** Whether an answer is a refusal as the contract writes it. */
function isRefusal(text) {
  try {
    const { msg } = JSON.parse(text)
    return typeof msg === 'string' && msg !== ''
  } catch {
    return false
  }
}

async function writtenRows() {
  const { results } = await database
    .prepare(
      "SELECT kind, count(*) AS number FROM requests GROUP BY kind UNION ALL SELECT 'allocation', count(*) FROM unit_orders",
    )
    .all()
  return Object.fromEntries(results.map(({ kind, number }) => [`${kind}s`, Number(number)]))
}

/** Resident memory of workerd. */
function megabytes() {
  const kilobytes = platform
    .processes()
    .map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]))
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024
}

async function post(path) {
  const response = await fetch(`${address}${path}`, { method: 'POST' })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

function report() {
  const isRefused = ({ startMs: at }) => at >= refusedFromMs && at < refusedUntilMs + 1000
  const counted = requests.filter((request) => !isRefused(request) && !request.isOwnLimit)
  const rows = {}
  for (const kind of ['reads', 'writes']) {
    const times = counted
      .filter((each) => each.kind === kind && each.status < 400)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b)
    const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
    rows[kind] = {
      requests: times.length,
      'a second': times.length / (minutes * 60),
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
    }
  }
  print(rows)
  const errors = counted.filter(({ status }) => status >= 400)
  console.log(
    `Errors: ${errors.length}; met the limits of their shared address: ${requests.filter(({ isOwnLimit }) => isOwnLimit).length}`,
  )
  for (const text of new Set(
    errors.map(({ path, status, text: words }) => `${path} ${status} ${words}`).slice(0, 10),
  ))
    console.log('  ', text)
  console.log(`Answers outside the contract's shape: ${requests.filter(({ isShaped }) => !isShaped).length}`)
  if (refuse > 0) {
    const during = requests.filter((each) => each.startMs >= refusedFromMs && each.startMs < refusedUntilMs)
    const after = requests.filter((each) => each.startMs >= refusedUntilMs)
    const lastRefused = Math.max(
      0,
      ...after.filter(({ status }) => status >= 500).map((each) => each.startMs + each.ms - refusedUntilMs),
    )
    const statuses = Object.groupBy(during, ({ status }) => String(status))
    console.log(
      `While the database refused: ${Object.entries(statuses)
        .map(([status, list]) => `${status}: ${list?.length}`)
        .join(', ')}`,
    )
    console.log(`Last refusal after it answered again: ${Math.round(lastRefused)} ms`)
  }
  console.log(
    'Memory of workerd with its database, MB, by minute:',
    memory
      .filter((_, n) => n % 6 === 5)
      .map(({ mb }) => Math.round(mb))
      .join(' '),
  )
  for (const [kind, keys] of accepted) {
    const rowsWritten = (written[kind] ?? 0) - (before[kind] ?? 0)
    console.log(
      `${kind}: ${keys.size} accepted, ${rowsWritten} written${keys.size === rowsWritten ? '' : ': DIFFERENT'}`,
    )
  }
  console.log('Findings of the self-check:', findings.length === 0 ? 'none' : findings)
}
