// What a month of 1,000 active investors costs: plays days of the written model (month.mjs) with every minute of cron in workerd, counts
// what is billed on the last one, and multiplies by the dated prices (prices.json). `node test/bench/cost.mjs [investors]`

import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { DAY_MS } from '../../src/time.ts'
import { SAMPLE_TOTP_SECRET } from '../../worker/dev/seed/sampleKeys.ts'
import { addHistory } from '../support/longHistory.ts'
import {
  ACTS,
  COIN_LISTS_A_VISIT,
  DAYS,
  FILES,
  INVESTORS,
  NEWCOMERS,
  OPERATORS,
  OVERVIEW,
  SCREENS,
  SIGN_OUTS_A_VISIT,
  VISITS,
} from './month.mjs'
import { formOf, print, startPlatform } from './platform.mjs'

const MINUTE_MS = 60_000
const MINUTES = 1440
/** The requests of so many months are there from the start. */
const PAST_MONTHS = 12
/** On the first day strategies buy, destinations become known, and jobs catch up. Only the last day counts. */
const PLAYED_DAYS = 2
const count = Number(process.argv[2] ?? INVESTORS)
const prices = JSON.parse(readFileSync(new URL('prices.json', import.meta.url), 'utf8'))

const platform = await startPlatform('test/bench/costWorker.ts', { seed: false })
const { address, database, cpuSeconds } = platform
// Yesterday and the day before: SQLite's own clock must not be behind.
const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - PLAYED_DAYS * DAY_MS
/** What each kind of call and each job used on the counted day. */
const items = new Map()
let isCounting = false
process.once('uncaughtException', async (error) => {
  console.error(error)
  await platform.stop()
  process.exit(1)
})
let nowMs = startMs - DAY_MS

const people = await post(`/bench/people?count=${count}&nowMs=${nowMs}`)
const investors = people.map((each, n) => person(each, `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`))
const operators = ['operator', 'operator2'].map((name, n) =>
  person(
    { email: `${name}@example.com`, password: 'correct-horse-battery-staple', secret: SAMPLE_TOTP_SECRET },
    `198.51.100.${n + 1}`,
  ),
)
const [reviewer, treasurer] = operators
// The jobs that go through everything find a year of requests, all of one more person.
const { id: other } = await database
  .prepare("SELECT id FROM users WHERE email = 'newcomer@example.com'")
  .first()
await addHistory(database, other, count * PAST_MONTHS * (ACTS.deposit + ACTS.withdraw))
/** Deposits to credit, and withdrawals to approve and to pay. */
const work = { deposits: [], withdrawals: [], payouts: [] }
const strategies = ['hold-the-index', 'slow-trend', 'strongest-two']
let newcomers = 0
let grownBytes = 0

for (let day = 0; day < PLAYED_DAYS; day++) {
  isCounting = day === PLAYED_DAYS - 1
  const bytes = await databaseBytes()
  const agenda = agendaOf()
  for (let minute = 0; minute < MINUTES; minute++) {
    if (minute % 180 === 0)
      console.log(`day ${day + 1}, ${minute / 60}:00 (${Math.round(performance.now() / 1000)} s)`)
    nowMs = startMs + day * DAY_MS + minute * MINUTE_MS
    await runCron()
    for (const [n, act] of (agenda.get(minute) ?? []).entries()) {
      nowMs = startMs + day * DAY_MS + minute * MINUTE_MS + 1000 * (n % 50) + 1000
      await act()
    }
  }
  grownBytes = (await databaseBytes()) - bytes
}
const { results: findings } = await database
  .prepare('SELECT name, finding FROM self_checks WHERE finding IS NOT NULL')
  .all()
if (findings.length > 0) throw new Error(`The self-checks find ${JSON.stringify(findings)}`)
await platform.stop()
report()

/** What happens in which minute of a day. */
function agendaOf() {
  const agenda = new Map()
  const at = (minute, act) => {
    const whole = Math.min(MINUTES - 1, Math.floor(minute))
    agenda.set(whole, [...(agenda.get(whole) ?? []), act])
  }
  /** Spreads so many events of a month over the day. */
  const spread = (times, act) => {
    const [fromMinute, toMinute] = [6 * 60, 24 * 60]
    const events = Math.round((count * times) / DAYS)
    for (let n = 0; n < events; n++)
      at(fromMinute + ((toMinute - fromMinute) * n) / events, () => act(investors[n % count]))
  }
  // The same investors visit on each day, so that on the counted one their browsers are known and some have positions.
  const visits = Math.round((count * VISITS) / DAYS)
  const parts = [
    ...SCREENS.map(({ times, calls }) => ({ times, act: (who) => load(who, calls) })),
    { times: ACTS.deposit, act: deposit },
    { times: ACTS.withdraw, act: withdraw },
    { times: ACTS.allocate, act: allocate },
    { times: ACTS.redeem, act: redeem },
  ].map((part) => ({ ...part, left: Math.round((count * part.times) / DAYS) }))
  for (let n = 0; n < visits; n++) {
    const who = investors[n % count]
    const fromMinute = 6 * 60 + ((18 * 60 - 10) * n) / visits
    const chosen = parts.filter((part) => takes(part, n, visits))
    at(fromMinute, async () => {
      await signIn(who)
      await load(who, OVERVIEW)
      await send(who, 'GET', '/market/coins')
    })
    at(fromMinute + 2, async () => {
      for (const { act } of chosen) await act(who)
    })
    for (let list = 1; list < COIN_LISTS_A_VISIT; list++)
      at(fromMinute + 2 * list, () => send(who, 'GET', '/market/coins', { etag: true }))
    if (n % Math.round(1 / SIGN_OUTS_A_VISIT) === 0)
      at(fromMinute + 6, () => send(who, 'POST', '/auth/logout'))
  }
  spread(NEWCOMERS, register)
  const { fromHour, hours } = OPERATORS
  at(fromHour * 60, async () => {
    for (const operator of operators) await signIn(operator)
  })
  for (let minute = fromHour * 60 + 1; isCounting && minute < (fromHour + hours) * 60; minute++)
    at(minute, async () => {
      for (const operator of operators) {
        await send(operator, 'GET', '/operator/waiting')
        await send(operator, 'GET', '/operator/waiting')
      }
      for (const path of ['/operator/work', '/operator/overview', '/operator/health'])
        await send(treasurer, 'GET', path)
    })
  for (let hour = fromHour + 1; hour < fromHour + hours; hour++) at(hour * 60 + 30, decide)
  return agenda
}

/** Whether a part that happens so often in these visits happens in this one. */
function takes({ left }, n, visits) {
  return Math.floor(((n + 1) * left) / visits) > Math.floor((n * left) / visits)
}

async function load(who, calls) {
  for (const path of calls) await send(who, 'GET', path)
  await send(who, 'GET', '/users/notifications/unseen')
}

async function signIn(who) {
  const { email, password } = who
  const code = new TOTP({ secret: Secret.fromBase32(who.secret) }).generate({ timestamp: nowMs })
  who.token = null
  who.token = (await send(who, 'POST', '/auth/login', { json: { email, password, code } })).body.token
}

async function register() {
  newcomers += 1
  const who = person(
    { email: `newcomer${newcomers}@people.test`, password: 'correct-horse-battery-staple', secret: null },
    `10.200.0.${newcomers % 250}`,
  )
  const { email, password } = who
  await send(who, 'POST', '/auth/register', {
    json: {
      fullname: 'sam ample',
      email,
      phone: '+41 79 555 01 23',
      password,
      country: 'Switzerland',
      acceptedTerms: true,
    },
  })
  const mail = await (await fetch(`${address}/bench/mail?to=${encodeURIComponent(email)}`)).text()
  const link = /https:\S*verify-email\S*/.exec(mail)?.[0]
  if (link === undefined) throw new Error(`No link in ${mail}`)
  const verified = await send(who, 'POST', '/auth/verify-email', {
    json: Object.fromEntries(new URL(link).searchParams),
  })
  who.token = verified.body.session.token
  await load(who, OVERVIEW)
  await load(who, ['/decision-times', '/kyc'])
  await send(who, 'POST', '/kyc', { form: { document: 'Passport' }, key: true })
}

async function deposit(who) {
  await load(who, ['/admin-wallets', '/limits'])
  await send(who, 'GET', '/quotes?type=usdt&amount=250')
  const { body: wallets } = await send(who, 'GET', '/admin-wallets')
  const { network, address: paymentTo } = wallets.find((each) => each.network === 'usdt-trc20')
  const { body } = await send(who, 'POST', '/deposits', {
    form: { type: 'usdt', amount: '250.00', paymentTo, network },
    key: true,
  })
  work.deposits.push(body._id)
}

async function withdraw(who) {
  await load(who, ['/admin-wallets', '/limits', '/users/user-info'])
  // Each to one of a few addresses, the same each month.
  const destination = {
    type: 'bitcoin',
    network: 'btc',
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  }
  await send(who, 'POST', '/users/destinations/wallet', { json: destination })
  const code = new TOTP({ secret: Secret.fromBase32(who.secret) }).generate({ timestamp: nowMs + 30_000 })
  const { body } = await send(who, 'POST', '/withdrawals', {
    json: { ...destination, amount: '100.00', code },
    key: true,
  })
  work.withdrawals.push(body._id)
}

async function allocate(who) {
  await load(who, ['/allocations', '/strategies'])
  await send(who, 'POST', '/allocations', {
    json: { strategy: strategies[investors.indexOf(who) % 3], amount: '200.00' },
    key: true,
  })
}

async function redeem(who) {
  const { body: positions } = await send(who, 'GET', '/allocations')
  const position = positions.find(({ units, pendingOut }) => units > 0 && pendingOut === 0)
  if (position === undefined) return isCounting ? fail(`${who.email} has no position`) : allocate(who)
  await send(who, 'POST', `/allocations/${position._id}/redeem`, { json: { amount: '50.00' }, key: true })
}

/** @param {string} words */
function fail(words) {
  throw new Error(words)
}

/** An operator goes through the queues, and a second one pays what the first one approved. */
async function decide() {
  const { body: documents } = await send(
    reviewer,
    'GET',
    '/operator/kyc?status=pending&order=oldest&limit=50',
  )
  for (const { _id: id } of documents) {
    await send(reviewer, 'GET', `/operator/kyc/${id}/document`)
    const json = { documentName: 'Ana', documentNumber: id, bornOn: '1990-05-01', expiresOn: '2099-05-01' }
    await send(reviewer, 'POST', `/operator/kyc/${id}/approve`, { key: true, json })
  }
  await send(reviewer, 'GET', '/operator/deposits?status=pending&order=oldest&limit=50')
  for (const id of work.deposits.splice(0)) {
    await send(reviewer, 'GET', `/operator/deposits/${id}`)
    await send(reviewer, 'GET', `/operator/deposits/${id}/receipt`)
    await act(reviewer, `/operator/deposits/${id}/approve`, {
      riskReason: 'Called back, all is in order',
      reference: referenceOf(id),
      amount: '250.00',
      quantity: '250',
    })
  }
  await send(treasurer, 'GET', '/operator/withdrawals?status=approved&order=oldest&limit=50')
  for (const id of work.payouts.splice(0)) {
    const { body } = await send(treasurer, 'GET', `/operator/withdrawals/${id}`)
    await act(treasurer, `/operator/withdrawals/${id}/complete`, {
      riskReason: 'Called back, all is in order',
      reference: referenceOf(id),
      quantity: body.toSend?.quantity,
    })
  }
  await send(reviewer, 'GET', '/operator/withdrawals?status=pending&order=oldest&limit=50')
  for (const id of work.withdrawals.splice(0)) {
    await send(reviewer, 'GET', `/operator/withdrawals/${id}`)
    await act(reviewer, `/operator/withdrawals/${id}/approve`, { riskReason: 'Called back, all is in order' })
    work.payouts.push(id)
  }
}

/** Sends a decision, with a code where it needs one. */
async function act(who, path, json) {
  const first = await send(who, 'POST', path, { json, key: true, mayFail: true })
  if (first.status < 300) return
  if (first.body.code !== 'step_up_required') throw new Error(`${path}: ${JSON.stringify(first.body)}`)
  nowMs += 31_000
  const code = new TOTP({ secret: Secret.fromBase32(who.secret) }).generate({ timestamp: nowMs })
  await send(who, 'POST', path, { json: { ...json, code }, key: true })
}

/** A transaction id. @param {string} id */
function referenceOf(id) {
  return Buffer.from(id.padEnd(32, 'x')).subarray(0, 32).toString('hex')
}

function person(credentials, ip) {
  return { ...credentials, ip, token: null, cookies: new Map(), etag: null }
}

async function send(who, method, path, { json, form, key, etag, mayFail = false } = {}) {
  const headers = new Headers({
    'X-Now': String(nowMs),
    'CF-Connecting-IP': who.ip,
    Origin: 'https://evenkeel.test',
  })
  if (who.token !== null) headers.set('Authorization', `Bearer ${who.token}`)
  const cookies = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  if (cookies !== '') headers.set('Cookie', cookies)
  const xsrf = who.cookies.get('XSRF-TOKEN')
  if (xsrf !== undefined) headers.set('X-XSRF-TOKEN', xsrf)
  if (key) headers.set('Idempotency-Key', crypto.randomUUID())
  if (etag && who.etag !== null) headers.set('If-None-Match', who.etag)
  if (json !== undefined) headers.set('Content-Type', 'application/json')
  const cpu = cpuSeconds()
  const response = await fetch(`${address}/api/v1${path}`, {
    method,
    headers,
    body: json !== undefined ? JSON.stringify(json) : form && formOf(form),
  })
  const text = await response.text()
  const name = `${method} ${path.replace(/\?.*/, '').replace(/\/(?=[\w.-]*\d)[\w.-]{16,}/g, '/:id')}`
  record(name, JSON.parse(response.headers.get('X-Used') ?? '{}'), (cpuSeconds() - cpu) * 1000, 1)
  const { status } = response
  if (status >= 400 && !mayFail) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  if (path === '/market/coins') who.etag = response.headers.get('ETag') ?? who.etag
  for (const cookie of response.headers.getSetCookie()) {
    const [, cookieName = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    who.cookies.set(cookieName, value)
  }
  const isJson = response.headers.get('Content-Type')?.includes('json') && text !== ''
  return { status, body: isJson ? JSON.parse(text) : null }
}

async function runCron() {
  const cpu = cpuSeconds()
  const jobs = await post(`/bench/cron?nowMs=${nowMs}`)
  record('cron', {}, (cpuSeconds() - cpu) * 1000, 1)
  for (const [job, used] of Object.entries(jobs)) record(`cron: ${job}`, used, 0, 0)
}

async function post(path) {
  const response = await fetch(`${address}${path}`, { method: 'POST' })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

async function databaseBytes() {
  return (await database.prepare('SELECT 1').run()).meta.size_after
}

function record(name, used, cpuMs, requests) {
  if (!isCounting) return
  const item = items.get(name) ?? {
    requests: 0,
    cpuMs: 0,
    rowsRead: 0,
    rowsWritten: 0,
    classA: 0,
    classB: 0,
    mails: 0,
    logEvents: 0,
  }
  item.requests += requests
  item.cpuMs += cpuMs
  for (const each of ['rowsRead', 'rowsWritten', 'classA', 'classB', 'mails']) item[each] += used[each] ?? 0
  // Each invocation is one event, and each line another.
  item.logEvents += requests + (used.logLines ?? 0)
  items.set(name, item)
}

function report() {
  const month = Object.fromEntries(
    [...items].map(([name, item]) => [
      name,
      Object.fromEntries(Object.entries(item).map(([each, number]) => [each, Math.round(number * DAYS)])),
    ]),
  )
  console.log(`A month of ${count} active investors, by call and by job`)
  print(month)
  const total = { databaseGb: 0, filesGb: 0 }
  for (const item of Object.values(month))
    for (const [each, number] of Object.entries(item)) total[each] = (total[each] ?? 0) + number
  total.databaseGb = (grownBytes * DAYS * PAST_MONTHS) / 1e9
  total.filesGb =
    (count * PAST_MONTHS * (ACTS.deposit * FILES.receiptBytes + NEWCOMERS * FILES.documentBytes)) / 1e9
  const bill = Object.entries(prices.resources).map(([name, price]) => {
    const number = total[name] ?? 0
    return {
      name,
      label: price.label,
      used: number,
      included: price.included,
      'share of the included': `${((100 * number) / price.included).toFixed(2)} %`,
      'without the included, $': dollars(price, number, 0),
      'billed, $': dollars(price, number, price.included),
    }
  })
  console.table(Object.fromEntries(bill.map(({ label, name: _, ...row }) => [label, row])))
  const sum = (column) => bill.reduce((all, row) => all + row[column], 0)
  const base = prices.basePlan.dollars
  console.log(`Base price $${base}, billed above what it includes $${sum('billed, $').toFixed(2)}`)
  console.log(`A month: $${(base + sum('billed, $')).toFixed(2)} (prices of ${prices.readOn})`)
  console.log(
    `The same use without a base price and its included amounts: $${sum('without the included, $').toFixed(2)}`,
  )
  const { otherMailCarrier: other } = prices
  const mails = other.base + dollars(other, total.mails, other.included)
  console.log(`${other.label}: $${mails.toFixed(2)} for the mails`)
  // All mails are one item.
  const parts = [...Object.entries(month), ['all', { mails: total.mails }]].flatMap(([item, use]) =>
    Object.entries(item === 'all' ? use : { ...use, mails: 0 }).map(([resource, number]) => ({
      item,
      resource,
      number,
      dollars: dollars(prices.resources[resource], number, 0),
    })),
  )
  parts.sort((a, b) => b.dollars - a.dollars)
  console.log('The largest items, without what is included')
  console.table(parts.slice(0, 12).map((part) => ({ ...part, dollars: Number(part.dollars.toFixed(3)) })))
}

/** @param {{ unit: number, dollars: number }} price @param {number} number @param {number} included */
function dollars(price, number, included) {
  return Number(((Math.max(0, number - included) / price.unit) * price.dollars).toFixed(4))
}
