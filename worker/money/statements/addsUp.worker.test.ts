import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DayValue, EntryCode, Statement } from '../../../src/contract/money/statements.ts'
import { DAY_MS } from '../../../src/time.ts'
import { randomRuns } from '../../../test/random.ts'
import { call, send } from '../../../test/support/http.ts'
import { withoutTriggers } from '../../../test/support/longHistory.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'

const RUNS = 12
const SEED = 20_261_121
const START_MS = Date.UTC(2026, 0, 1)

/** The accounts between which each code moves money, as the ledger allows. */
const SIDES: Record<EntryCode, readonly [from: string, to: string]> = {
  credit: ['paid_in', 'available'],
  repay: ['available', 'owed'],
  hold: ['available', 'held'],
  release: ['held', 'available'],
  complete: ['held', 'paid_out'],
  bonus: ['granted', 'available'],
  overdraw: ['owed', 'available'],
  reverse_credit: ['available', 'paid_in'],
  reverse_payout: ['paid_out', 'available'],
  reverse_bonus: ['available', 'granted'],
  allocate: ['available', 'allocating:slow'],
  deallocate: ['allocating:slow', 'available'],
  invest: ['allocating:slow', 'invested:slow'],
  redeem: ['invested:slow', 'available'],
  lose: ['invested:slow', 'result:slow'],
  gain: ['result:slow', 'available'],
  fee: ['available', 'fees'],
  forfeit: ['available', 'fees'],
}

/** Changes of the balance that come from trading. */
const RESULTS: ReadonlySet<EntryCode> = new Set(['gain', 'lose', 'fee', 'forfeit'])

interface Move {
  readonly code: EntryCode
  readonly cents: number
  /** Several may share a moment, and clocks are set back. */
  readonly laterMs: number
}

const moves = fc.array(
  fc.record({
    code: fc.constantFrom(...(Object.keys(SIDES) as EntryCode[])),
    cents: fc.oneof(fc.integer({ min: 1, max: 500_000 }), fc.constantFrom(1, 99, 1_000_000_000_000)),
    laterMs: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 0, max: 5 }) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 9 * DAY_MS }) },
      { weight: 1, arbitrary: fc.integer({ min: -2 * DAY_MS, max: 0 }) },
    ),
  }),
  { minLength: 1, maxLength: 400, size: 'max' },
)

test('statements of any books, reversals, bonuses, debts and clocks that are set back among them, add up and follow on one another', async () => {
  await fc.assert(
    fc.asyncProperty(moves, fc.array(fc.nat(300), { maxLength: 5 }), async (sequence, cuts) => {
      const person = await newInvestor()
      const invested = await post(person, sequence)
      const whole = await statementOf(person)
      const { totalBalance, available, held, positions } = await booksOf(person.id)
      expect(inCents(whole.opening)).toEqual([0, 0, 0])
      expect(inCents(whole.closing)).toEqual([available, held, totalBalance - positions + invested])
      expectToAddUp(whole)

      // Split into periods anywhere, no entry is missing or repeated.
      const days = [...new Set(cuts)].toSorted((a, b) => a - b).map((day) => START_MS + day * DAY_MS)
      const edges = [...days.map((ms) => new Date(ms).toISOString()), '']
      let from = ''
      let opening = whole.opening
      const entries = []
      for (const edge of edges) {
        const to = edge === '' ? '' : new Date(Date.parse(edge) - 1).toISOString()
        const part = await statementOf(person, `?from=${from}&to=${to}`)
        expect(part.opening).toEqual(opening)
        expectToAddUp(part)
        opening = part.closing
        entries.push(...part.entries)
        from = edge
      }
      expect(entries).toEqual(whole.entries)
      expect(opening).toEqual(whole.closing)

      // The chart has the balance at the end of each day, and what came in on it.
      const chart = await call<DayValue[]>('GET', '/users/value-history?days=365', { token: person.token })
      for (const [i, { day, balance, paidIn }] of chart.body.entries()) {
        const upTo = (edge: string) => whole.entries.filter(({ at }) => at < edge)
        const end = new Date(Date.parse(day) + DAY_MS).toISOString()
        const cents = upTo(end).reduce((sum, { change }) => sum + Math.round(change * 100), 0)
        expect([day, Math.round(balance * 100)]).toEqual([day, cents])
        const ofDay = upTo(end).filter(({ at, code }) => at >= day && !RESULTS.has(code))
        const cameIn = ofDay.reduce((sum, { change }) => sum + Math.round(change * 100), 0)
        if (i > 0) expect([day, Math.round(paidIn * 100)]).toEqual([day, cameIn])
      }
      expect(await mostBetweenCheckpoints(person)).toBeLessThanOrEqual(100)

      // The file has the same figures, in ASCII.
      const file = await (await send('GET', '/statements?format=csv', { token: person.token })).text()
      expect(file).toMatch(/^[\r\n -~]*$/)
      const lines = file
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','))
      const entriesEnd = 2 + whole.entries.length
      expect(lines.slice(2, entriesEnd).map((line) => Number(line.at(-1)))).toEqual(
        whole.entries.map(({ balance }) => balance),
      )
      expect(lines[entriesEnd]?.slice(-3).map(Number)).toEqual([
        whole.closing.available,
        whole.closing.held,
        whole.closing.balance,
      ])
    }),
    randomRuns(RUNS, SEED),
  )
}, 120_000)

function expectToAddUp({ opening, entries, closing }: Statement): void {
  const [available, held, balance] = inCents(opening)
  const sum = { available, held, balance }
  for (const entry of entries) {
    const [from, to] = SIDES[entry.code]
    const amount = Math.round(entry.amount * 100)
    for (const kind of ['available', 'held'] as const)
      sum[kind] += amount * (Number(to === kind) - Number(from === kind))
    sum.balance += Math.round(entry.change * 100)
    expect(inCents(entry)).toEqual([sum.available, sum.held, sum.balance])
  }
  expect(inCents(closing)).toEqual([sum.available, sum.held, sum.balance])
}

function inCents(figures: { available: number; held: number; balance: number }): [number, number, number] {
  const cents = (usd: number) => Math.round(usd * 100)
  return [cents(figures.available), cents(figures.held), cents(figures.balance)]
}

async function statementOf(person: Person, query = ''): Promise<Statement> {
  const { status, body } = await call<Statement>('GET', `/statements${query}`, { token: person.token })
  expect(status).toBe(200)
  return body
}

async function mostBetweenCheckpoints({ id }: Person): Promise<number | null> {
  return env.DB.prepare(
    `SELECT max(next - entries) AS most FROM (
       SELECT entries, lead(entries) OVER (ORDER BY at, seq) AS next FROM balance_checkpoints WHERE owner = ?)`,
  )
    .bind(id)
    .first<number>('most')
}

/**
 * Posts as much as the accounts' floors allow. The triggers are off, so the causes are not checked. Returns the invested
 * amount afterwards.
 */
async function post(person: Person, sequence: readonly Move[]): Promise<number> {
  await env.DB.prepare(
    `INSERT INTO accounts (id, owner, kind, subject) SELECT ?1 || ':' || kind || ':slow', ?1, kind, 'slow'
     FROM account_kinds WHERE per_subject = 1`,
  )
    .bind(person.id)
    .run()
  const balances = new Map<string, number>()
  const of = (kind: string) => balances.get(kind) ?? 0
  let at = START_MS
  const statements: D1PreparedStatement[] = []
  for (const [i, { code, cents, laterMs }] of sequence.entries()) {
    const [from, to] = SIDES[code]
    at += laterMs
    const amount = Math.min(cents, room(code, of))
    if (amount < 1 || at > Date.now()) continue
    balances.set(from, of(from) - amount)
    balances.set(to, of(to) + amount)
    statements.push(
      env.DB.prepare(
        `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
         VALUES (?2 || ':' || ?1, ?1 || ':' || ?3, ?1 || ':' || ?4, ?5, ?6, 'none', ?1, ?7)`,
      ).bind(person.id, i, from, to, amount, code, at),
    )
  }
  for (const [kind, balance] of balances)
    statements.push(
      env.DB.prepare('UPDATE accounts SET balance = ?1 WHERE id = ?2').bind(balance, `${person.id}:${kind}`),
    )
  if (statements.length > 0) await withoutTriggers(env.DB, () => env.DB.batch(statements))
  return of('invested:slow')
}

/** How much of the amount the floors allow. */
function room(code: EntryCode, of: (kind: string) => number): number {
  switch (code) {
    case 'credit':
    case 'bonus':
    case 'overdraw':
    case 'gain':
      return Number.POSITIVE_INFINITY
    case 'repay':
      return Math.min(of('available'), -of('owed'))
    case 'reverse_credit':
      return Math.min(of('available'), -of('paid_in'))
    case 'reverse_bonus':
      return Math.min(of('available'), -of('granted'))
    default:
      return of(SIDES[code][0])
  }
}
