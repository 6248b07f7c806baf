import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DayValue, LedgerEntry, Statement } from '../../../src/contract/money/statements.ts'
import { DAY_MS } from '../../../src/time.ts'
import { withdraw } from '../../../test/support/filing.ts'
import { call, send } from '../../../test/support/http.ts'
import { endStep, openDay, openHash, startStrategy } from '../../../test/support/ledger/strategies.ts'
import { addHistory, withoutTriggers } from '../../../test/support/longHistory.ts'
import { booksOf } from '../../../test/support/money.ts'
import { approveProposal, as, propose } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { NO_HOLDING, settleAllocation, submitAllocation } from '../../ledger/strategies.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { displays, valuations } from '../../lib/tables/strategies.ts'

// These withdrawals are smaller than the network's minimum.
beforeAll(() => setSetting('minimums', { btc: 0 }))

let ana: Person
beforeAll(async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  ana = await newInvestor({ name: 'Ana Torres', availableCents: 1000_00 })
  const { body: proposal } = await propose(first, {
    kind: 'bonus',
    investor: ana.id,
    amount: '50.00',
    reason: 'Thank you',
  })
  await approveProposal(second, proposal._id)
  const { body: cancelled } = await withdraw(ana, { amount: '30.00' })
  await as(ana, 'POST', `/withdrawals/${cancelled._id}/cancel`)
  await withdraw(ana, { amount: '200.00' })
})

describe('a statement', () => {
  test('has every entry with the balances after it, and opening and changes add up to closing', async () => {
    const { status, body } = await statementOf(ana)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      from: null,
      name: 'Ana Torres',
      opening: { available: 0, held: 0, balance: 0 },
      closing: { available: 850, held: 200, balance: 1050 },
    })
    expect(body.entries.map(({ code, amount, change, balance }) => [code, amount, change, balance])).toEqual([
      ['credit', 1000, 1000, 1000],
      ['bonus', 50, 50, 1050],
      ['hold', 30, 0, 1050],
      ['release', 30, 0, 1050],
      ['hold', 200, 0, 1050],
    ])
    expect(body.entries.map(({ ref }) => ref?.slice(0, 3) ?? null)).toEqual([
      'DEP',
      null,
      'WDR',
      'WDR',
      'WDR',
    ])
    expect(body.closing.balance * 100).toBe((await booksOf(ana.id)).totalBalance)
  })

  test('of a period opens with the earlier balance, and a later one opens where it closed', async () => {
    const ben = await newInvestor({ availableCents: 10_00 })
    await backdate(ben, 5)
    await as(ben, 'GET', '/users/user-info')
    await withdrawAll(ben, '4.00')
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
    const { body: early } = await statementOf(ben, `?from=${day(7)}&to=${day(3)}`)
    expect(early.entries.map(({ code }) => code)).toEqual(['credit'])
    expect(early.opening).toMatchObject({ available: 0, held: 0, balance: 0, totalBalance: 0 })
    const { body: late } = await statementOf(ben, `?from=${day(2)}`)
    expect(late.opening).toEqual(early.closing)
    expect(late.entries.map(({ code }) => code)).toEqual(['hold'])
    expect(late.closing).toMatchObject({ available: 6, held: 4, balance: 10, totalBalance: 10 })
    const { body: none } = await statementOf(ben, `?from=${day(3)}&to=${day(2)}`)
    expect(none).toMatchObject({ entries: [], opening: early.closing, closing: early.closing })
  })

  test('of a period includes its first and last millisecond, and none ends in the future', async () => {
    const eva = await newInvestor({ availableCents: 10_00 })
    await backdate(eva, 5)
    const at = (await statementOf(eva)).body.entries[0]?.at
    for (const query of [`?from=${at}`, `?to=${at}`])
      expect((await statementOf(eva, query)).body.entries).toHaveLength(1)
    const { body } = await statementOf(eva, '?to=2100-01-01')
    expect(Date.parse(body.to)).toBeLessThanOrEqual(Date.now())
  })

  test('as CSV has the same figures, and no cache stores it', async () => {
    const response = await send('GET', '/statements?format=csv', { token: ana.token })
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="[a-z0-9-]+-statement-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const text = await response.text()
    expect(text).toMatch(/^"Time \(UTC\)","Entry",.*\r\n,"Opening balance",,,,0\.00,/)
    const rows = text.split('\r\n').map((line) => line.replaceAll('"', '').split(','))
    expect(rows[0]?.slice(1)).toEqual([
      'Entry',
      'Reference',
      'Amount',
      'Change',
      'Available',
      'Held',
      'Balance',
    ])
    expect(rows.slice(1, -1).map(([, entry, , ...amounts]) => [entry, ...amounts].join(' '))).toEqual([
      'Opening balance   0.00 0.00 0.00',
      'Deposit credited 1000.00 1000.00 1000.00 0.00 1000.00',
      'Bonus granted 50.00 50.00 1050.00 0.00 1050.00',
      'Held for a withdrawal 30.00 0.00 1020.00 30.00 1050.00',
      'Given back from a withdrawal 30.00 0.00 1050.00 0.00 1050.00',
      'Held for a withdrawal 200.00 0.00 850.00 200.00 1050.00',
      'Closing balance   850.00 200.00 1050.00',
      'Of this: orders waiting     0.00',
      'Of this: in strategies at cost     0.00',
      'Of this: owed     0.00',
      'Unrealised gain or loss     0.00',
      'Total Balance     1050.00',
    ])
  })

  test('of more than 1,000 entries is complete, and only available as CSV', async () => {
    const cleo = await newInvestor({ availableCents: 5_00 })
    await addHistory(env.DB, cleo.id, 1_200)
    expect(await statementOf(cleo)).toMatchObject({ status: 422, body: { code: 'too_many_entries' } })
    const text = await (await send('GET', '/statements?format=csv', { token: cleo.token })).text()
    const lines = text.trim().split('\r\n')
    const { entries } = await countOf(cleo)
    expect(entries).toBeGreaterThan(1_000)
    expect(lines).toHaveLength(entries + 8)
    const { totalBalance } = await booksOf(cleo.id)
    expect(lines.at(-1)?.split(',').at(-1)).toBe((totalBalance / 100).toFixed(2))
  })

  test.each(['?from=yesterday', '?to=2026-02-31', '?format=pdf'])('is refused for %s', async (query) => {
    expect((await statementOf(ana, query)).status).toBe(422)
  })
})

describe('the entries of a figure', () => {
  test.each([
    ['deposits', ['credit'], 1000],
    ['bonus', ['bonus'], 50],
    ['withdrawals', [], 0],
    ['pendingWithdrawals', ['hold', 'release', 'hold'], 200],
  ])('%s are the ones that make it up', async (figure, codes, total) => {
    const { body } = await entriesOf(ana, figure)
    expect(body.map(({ code }) => code)).toEqual(codes)
    expect(body.reduce((sum, { change }) => sum + change, 0)).toBe(total)
  })

  test('come in pages, newest first, none twice', async () => {
    const seen: string[] = []
    let path: string | null = '/users/entries?figure=pendingWithdrawals&limit=2'
    while (path !== null) {
      const { body, headers }: { body: LedgerEntry[]; headers: Headers } = await call<LedgerEntry[]>(
        'GET',
        path,
        {
          token: ana.token,
        },
      )
      seen.push(...body.map(({ _id }) => _id))
      path = /<\/api\/v1([^>]+)>/.exec(headers.get('Link') ?? '')?.[1] ?? null
    }
    expect(seen).toHaveLength(3)
    expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => b - a))
  })

  test('of a period leave out what was before and after it', async () => {
    const listBonuses = async (query: string) =>
      (await call<LedgerEntry[]>('GET', `/users/entries?figure=bonus&${query}`, { token: ana.token })).body
    const today = new Date().toISOString().slice(0, 10)
    expect(await listBonuses(`from=${today}&to=${today}`)).toHaveLength(1)
    expect(await listBonuses('to=2026-01-31')).toEqual([])
    expect(await listBonuses('from=2999-01-01')).toEqual([])
    const backwards = await call('GET', '/users/entries?figure=bonus&from=2026-02-01&to=2026-01-31', ana)
    expect(backwards.status).toBe(422)
  })

  test('another figure is refused', async () => {
    expect((await entriesOf(ana, 'profits')).status).toBe(422)
  })
})

test('the balance history ends with the current balance and has each day’s end', async () => {
  const dora = await newInvestor({ availableCents: 70_00 })
  await backdate(dora, 3)
  const { body } = await call<DayValue[]>('GET', '/users/value-history?days=30', { token: dora.token })
  expect(body).toHaveLength(30)
  expect(body.map(({ balance }) => balance)).toEqual([...Array(26).fill(0), 70, 70, 70, 70])
  expect(body.slice(-4).map(({ paidIn }) => paidIn)).toEqual([70, 0, 0, 0])
  expect(body.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10))
  const year = await call<DayValue[]>('GET', '/users/value-history?days=365', { token: dora.token })
  expect(year.body).toHaveLength(365)
  expect((await call('GET', '/users/value-history?days=31', { token: dora.token })).status).toBe(422)
})

test('the balance history values units at each day’s close, and now at the displayed price', async () => {
  const { id, token } = await newInvestor({ availableCents: 70_00 })
  const db = openDatabase(env.DB)
  const day = (Math.floor(Date.now() / DAY_MS) - 2) * DAY_MS
  const order = {
    id: 'course-1',
    ref: 'ALC-C',
    investor: id,
    strategy: 'course',
    cents: 50_00,
    atMs: day - 5,
  }
  const bought = settleAllocation(db, order, NO_HOLDING, { day, price: 101_000_000, nowMs: day })
  const opened = { strategy: 'course', day, unitPrice: 100_000_000 }
  const close = { unitPrice: 90_900_092, netValue: 45_000_000, units: bought.units, weights: '{}' }
  await runBatch(db, [
    startStrategy(db, 'course'),
    submitAllocation(db, order),
    openDay(db, opened),
    bought.statement,
    endStep(db, 'course', day),
    db.insert(valuations).values({
      ...{ strategy: 'course', day, kind: 'close', ...close, recordedAt: day + DAY_MS },
      ...{ previous: openHash(opened), hash: 'close', priceReturn: 0, follows: 1, details: '{}' },
      ...{ salt: '0'.repeat(64), commitment: '0'.repeat(64) },
    }),
    db.insert(displays).values({ strategy: 'course', at: Date.now(), unitPrice: 100_000_000 }),
  ])
  const { body } = await call<DayValue[]>('GET', '/users/value-history?days=30', { token })
  // The credit is posted now, so the days before are negative.
  expect(body.slice(-4).map(({ balance }) => balance)).toEqual([0, -5.01, -5.01, 69.5])
  expect(body.at(-1)?.paidIn).toBe(70)
  expect((await booksOf(id)).totalBalance).toBe(69_50)
  // A displayed price that is older than the close counts no more.
  await env.DB.prepare("UPDATE displays SET at = ? WHERE strategy = 'course'").bind(day).run()
  expect((await booksOf(id)).totalBalance).toBe(64_99)
  const bySettlement = await call<Statement>('GET', `/statements?to=${new Date(day).toISOString()}`, {
    token,
  })
  expect(bySettlement.body.closing.unrealised).toBe(-0.5)
  for (const { body } of [bySettlement, await call<Statement>('GET', '/statements', { token })]) {
    const [position, ...others] = body.positions
    expect(others).toEqual([])
    expect(position).toMatchObject({ strategy: 'course', name: 'course', units: bought.units / 1e6 })
    expect(position?.value).toBe(Math.round((body.closing.invested + body.closing.unrealised) * 100) / 100)
    expect(position?.value).toBe(Math.floor((position?.units ?? 0) * (position?.unitPrice ?? 0) * 100) / 100)
  }
})

function statementOf(person: Person, query = '') {
  return call<Statement>('GET', `/statements${query}`, { token: person.token })
}

function entriesOf(person: Person, figure: string) {
  return call<LedgerEntry[]>('GET', `/users/entries?figure=${figure}`, { token: person.token })
}

async function withdrawAll(person: Person, amount: string): Promise<void> {
  const { status } = await withdraw(person, { amount })
  expect(status).toBe(201)
}

/** Backdates all of an owner's entries by whole days, and their checkpoints. */
async function backdate(person: Person, days: number): Promise<void> {
  await withoutTriggers(env.DB, () =>
    env.DB.batch([
      env.DB.prepare("UPDATE transfers SET at = at - ?1 WHERE from_account LIKE ?2 || ':%'").bind(
        days * DAY_MS,
        person.id,
      ),
      env.DB.prepare(
        'UPDATE balance_checkpoints SET at = at - ?1 WHERE owner = ?2 AND at < 9007199254740991',
      ).bind(days * DAY_MS, person.id),
    ]),
  )
}

async function countOf(person: Person): Promise<{ entries: number }> {
  const row = await env.DB.prepare(
    'SELECT count(*) AS entries FROM transfers t JOIN accounts a ON a.id = t.from_account WHERE a.owner = ?',
  )
    .bind(person.id)
    .first<{ entries: number }>()
  return row ?? { entries: 0 }
}
