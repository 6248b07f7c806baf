import { DAY_MS } from '../../../src/time.ts'
import { Broken } from '../watch.ts'
import type { Body, Client, Reply } from './client.ts'
import type { Operating } from './operator.ts'

/** Compares everything that an investor sees with the model and with the ledger. Returns how many comparisons it made. */
export async function compareAll(at: Operating, client: Client): Promise<number> {
  const overview = await client.get('/users/user-info')
  if (overview.status !== 200) return 0
  overviewEqualsModel(at, client, overview)
  await overviewEqualsPositions(at, client, overview)
  const screens = [
    limitsEqualModel,
    historyIsComplete,
    figuresAreTheirEntries,
    statementsFollow,
    chartEndsAtTotal,
  ]
  for (const compare of screens) await compare(at, client, overview)
  return screens.length + 2
}

/** Compares the overview with the model. Returns how many comparisons it made. */
export async function compareOverview(at: Operating, client: Client): Promise<number> {
  const overview = await client.get('/users/user-info')
  if (overview.status !== 200) return 0
  overviewEqualsModel(at, client, overview)
  return 1
}

type Screen = (at: Operating, client: Client, overview: Reply) => Promise<void>

/** The figures of the overview are the model's, and its total is the sum of its parts. */
function overviewEqualsModel({ model }: Operating, { email }: Client, { body }: Reply): void {
  const purse = model.purse(email)
  const expected = {
    available: Math.max(0, purse.available),
    pendingWithdrawals: purse.held,
    deposits: purse.deposits,
    withdrawals: purse.withdrawals,
    bonus: purse.bonus,
    allocating: [...purse.allocating.values()].reduce((sum, each) => sum + each, 0),
    pendingDeposits: model.waitingOf('deposits', email).cents,
    owed: Math.max(0, -purse.available),
  }
  for (const [name, value] of entriesOf(expected))
    same('screensEqualModel', `${email}: ${name}`, body[name], value)
  const parts =
    body.available + body.pendingWithdrawals + body.allocating + body.invested + body.unrealised - body.owed
  same('totalBothWays', `${email}: the total of the overview`, body.totalBalance, cents(parts))
}

interface Position {
  readonly units: number
  readonly cost: number
  readonly price: number
}

/** What is invested is worth the units owned at the newest price: the last valuation, or the one displayed since then. */
async function overviewEqualsPositions({ world }: Operating, client: Client, { body }: Reply): Promise<void> {
  const owned = await world.database.rows<Position>(
    `SELECT p.units, p.cost, coalesce(
       (SELECT d.unit_price FROM displays d WHERE d.strategy = p.strategy AND d.at >= (
         SELECT max(v.day + iif(v.kind = 'close', ${DAY_MS}, 0)) FROM valuations v WHERE v.strategy = p.strategy)),
       (SELECT v.unit_price FROM valuations v WHERE v.strategy = p.strategy ORDER BY v.day DESC, v.kind LIMIT 1), 0) AS price
     FROM positions p JOIN users u ON u.id = p.investor WHERE u.email = ?1`,
    client.email,
  )
  const cost = owned.reduce((sum, each) => sum + each.cost, 0)
  const worth = owned.reduce((sum, { units, price }) => sum + worthOf(units, price), 0)
  same('screensEqualModel', `${client.email}: invested`, body.invested, cost)
  same('screensEqualModel', `${client.email}: unrealised`, body.unrealised, worth - cost)
  const allocations = await client.get('/allocations')
  if (allocations.status !== 200) return
  const sumOf = (name: 'value' | 'cost' | 'pendingIn') =>
    allocations.rows.reduce((sum, row) => sum + cents(row[name]), 0)
  const what = `${client.email}: all positions'`
  if (sumOf('value') !== worth || sumOf('cost') !== cost || sumOf('pendingIn') !== cents(body.allocating))
    throw new Broken(
      'screensEqualModel',
      `${what} ${JSON.stringify(allocations.rows.map(({ value }) => value))}`,
    )
}

/** The limits count what is open. */
const limitsEqualModel: Screen = async ({ model }, client) => {
  const { status, body } = await client.get('/limits')
  if (status !== 200) return
  const shown = openIn(body)
  for (const queue of ['deposits', 'withdrawals'] as const) {
    const waiting = model.waitingOf(queue, client.email)
    same('screensEqualModel', `${client.email}: pending ${queue}`, shown[queue].pending, waiting.cents)
    if (shown[queue].open !== waiting.open)
      throw new Broken('screensEqualModel', `${client.email}: ${shown[queue].open} open ${queue}`)
  }
  same(
    'screensEqualModel',
    `${client.email}: available`,
    body.available,
    Math.max(0, model.purse(client.email).available),
  )
}

/** The open requests of an answer of `/limits`, which has these fields under names that are amounts elsewhere. */
function openIn(body: Body): Record<'deposits' | 'withdrawals', { open: number; pending: number }> {
  return body as unknown as ReturnType<typeof openIn>
}

/** The history lists every request once, page after page, with its status and amount. */
const historyIsComplete: Screen = async ({ model }, client) => {
  const own = model.requestsOf(client.email)
  const limit = own.size > 20 ? 100 : 3
  const seen = new Map<string, string>()
  for (let path: string | null = `/transaction-history?limit=${limit}`; path !== null; ) {
    const { status, rows, next }: Reply = await client.get(path)
    if (status !== 200) return
    for (const row of rows) {
      if (seen.has(row._id))
        throw new Broken('historyIsComplete', `${client.email}: ${row._id} is listed twice`)
      seen.set(row._id, `${row.status} ${cents(row.amount)}`)
    }
    path = next ?? null
  }
  for (const [id, request] of own) {
    const expected = `${request.status} ${request.cents}`
    if (seen.get(id) !== expected)
      throw new Broken(
        'historyIsComplete',
        `${client.email}: ${id} is ${seen.get(id)}, and should be ${expected}`,
      )
  }
  const more = [...seen.keys()].find((id) => !own.has(id))
  if (more !== undefined) throw new Broken('historyIsComplete', `${client.email}: ${more} is not theirs`)
}

/** A figure is the sum of the entries that explain it. */
const figuresAreTheirEntries: Screen = async (_at, client, { body }) => {
  for (const figure of ['deposits', 'withdrawals'] as const) {
    let sum = 0
    for (let path: string | null = `/users/entries?figure=${figure}&limit=100`; path !== null; ) {
      const { status, rows, next }: Reply = await client.get(path)
      if (status !== 200) return
      sum += rows.reduce((all, row) => all + cents(row.change), 0)
      path = next ?? null
    }
    same('figuresAreTheirEntries', `${client.email}: ${figure}`, body[figure], sum)
  }
}

/**
 * The statement of everything ends at the overview's total. The statement of a month begins and ends with what the ledger had
 * then, and its entries lead from one to the other. Months are those of the investor's time zone.
 */
const statementsFollow: Screen = async ({ world }, client, overview) => {
  const whole = await client.get('/statements?from=2020-01-01T00:00:00Z')
  if (whole.status !== 200) return
  same(
    'totalBothWays',
    `${client.email}: the statement's total`,
    whole.body.closing.totalBalance,
    cents(overview.body.totalBalance),
  )
  const month = client.monthAt(world.now())
  const before = client.monthAt(world.now(), -1)
  // A period may begin in the moment of an entry.
  const middle = Date.parse(whole.body.entries[Math.floor(whole.body.entries.length / 2)]?.at ?? '') || month
  for (const [from, to] of [
    [before, month - 1],
    [month, world.now() + 1000],
    [middle, world.now() + 1000],
  ] as const) {
    const path = `/statements?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
    const { status, body } = await client.get(path)
    if (status !== 200) return
    const [opening, closing] = [
      await bookedUntil(world, client, from - 1),
      await bookedUntil(world, client, to),
    ]
    const what = `${client.email}: the statement from ${new Date(from).toISOString()}`
    same('statementsFollow', `${what} opens with`, body.opening.balance, opening)
    same('statementsFollow', `${what} closes with`, body.closing.balance, closing)
    const changes = body.entries.reduce((sum, { change }) => sum + cents(change), 0)
    same(
      'statementsFollow',
      `${what} changes by`,
      body.closing.balance,
      cents(body.opening.balance) + changes,
    )
  }
}

/** An investor's ledger balance after the transfers up to a time, in cents. Units count at cost. */
async function bookedUntil(
  { database }: Operating['world'],
  { email }: Client,
  atMs: number,
): Promise<number> {
  const [row] = await database.rows<{ cents: number }>(
    `SELECT coalesce(sum(t.amount * (
       (g.kind IN ('available', 'held', 'allocating', 'invested', 'owed')) - (f.kind IN ('available', 'held', 'allocating', 'invested', 'owed')))), 0) AS cents
     FROM transfers t JOIN accounts f ON f.id = t.from_account JOIN accounts g ON g.id = t.to_account
     WHERE t.at <= ?2
       AND t.from_account IN (SELECT a.id FROM users u JOIN accounts a ON a.owner = u.id WHERE u.email = ?1)`,
    email,
    atMs,
  )
  return row?.cents ?? 0
}

/** The chart ends at the total of the overview. */
const chartEndsAtTotal: Screen = async (_at, client, overview) => {
  const { status, rows } = await client.get('/users/value-history?days=30')
  const last = rows.at(-1)
  if (status !== 200 || last === undefined) return
  same('totalBothWays', `${client.email}: the chart's end`, last.balance, cents(overview.body.totalBalance))
}

function same(rule: string, what: string, shownUsd: number, expectedCents: number): void {
  if (cents(shownUsd) !== expectedCents)
    throw new Broken(rule, `${what} is ${shownUsd}, and should be ${(expectedCents / 100).toFixed(2)}`)
}

function cents(usd: number): number {
  return Math.round(Number(usd) * 100)
}

/** Units in 10⁻⁶ at a price in micro-USD, in cents, rounded down. */
function worthOf(units: number, price: number): number {
  return Number((BigInt(units) * BigInt(price)) / 10_000_000_000n)
}

function entriesOf<Key extends string>(record: Readonly<Record<Key, number>>): [Key, number][] {
  return Object.entries(record) as [Key, number][]
}
