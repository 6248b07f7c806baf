import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { fileDeposit, fileWithdrawal, person } from '../../test/support/ledger/records.ts'
import { endStep, openDay, openHash, startStrategy } from '../../test/support/ledger/strategies.ts'
import { txid } from '../../test/support/ledger/txid.ts'
import { openDatabase, readTogether, runBatch } from '../lib/database.ts'
import { findDatabaseRefusal } from '../lib/errors.ts'
import { computeFigures, readBooks } from './balances.ts'
import { takeIntoCustody } from './custody.ts'
import { credit, hold, payOut, release } from './post.ts'
import { recordEvent } from './requestEvents.ts'
import {
  cancelOrder,
  NO_HOLDING,
  settleAllocation,
  settleRedemption,
  submitAllocation,
  submitRedemption,
} from './strategies.ts'

// Many parallel calls about the same money: the database admits exactly as many as there is money for.

const db = openDatabase(env.DB)
const T = 1_700_000_000_000
/** Opens after it. */
const DAY = Math.ceil(T / DAY_MS) * DAY_MS

beforeAll(() =>
  runBatch(
    db,
    ['olu', 'pia'].flatMap((id) => person(db, id, 'operator')),
  ),
)

test('of 200 parallel withdrawals with money for ten, exactly ten are held', async () => {
  await funded('ana', 100_000)
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      outcomeOf(fileWithdrawal(db, { id: `ana-${i}`, investor: 'ana', amountCents: 10_000, atMs: T })),
    ),
  )
  expect(countOf(outcomes)).toEqual({ done: 10, insufficient_funds: 190 })
  expect(await figures('ana')).toMatchObject({ available: 0, held: 100_000, totalBalance: 100_000 })
})

test('of 200 parallel holds for twenty requests, ten succeed, each once', async () => {
  await funded('bea', 100_000)
  const ids = Array.from({ length: 20 }, (_, i) => `bea-${i}`)
  for (const id of ids) {
    const [request] = fileWithdrawal(db, { id, investor: 'bea', amountCents: 10_000, atMs: T })
    if (request) await runBatch(db, [request])
  }
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      outcomeOf([
        hold(db, { id: `bea-${i % 20}`, investor: 'bea', amountCents: 10_000 }, { actor: 'bea', nowMs: T }),
      ]),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(10)
  expect(await figures('bea')).toMatchObject({ available: 0, held: 100_000 })
})

test('of 30 parallel deposits, twenty stay open', async () => {
  await runBatch(db, person(db, 'cleo', 'investor'))
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      outcomeOf(fileDeposit(db, { id: `cleo-${i}`, investor: 'cleo', amountCents: 100, atMs: T })),
    ),
  )
  expect(countOf(outcomes)).toEqual({ done: 20, too_many_open: 10 })
})

test('two operators who credit a deposit in parallel credit it once', async () => {
  await runBatch(db, [
    ...person(db, 'dora', 'investor'),
    ...fileDeposit(db, { id: 'dora-1', investor: 'dora', amountCents: 50_000, atMs: T }),
  ])
  const outcomes = await Promise.all(
    ['olu', 'pia', 'olu', 'pia'].map((actor, i) => creditBy(actor, 'dora', txid(`t${i}`))),
  )
  expect(countOf(outcomes)).toEqual({ done: 1, already_decided: 3 })
  expect(await figures('dora')).toMatchObject({ available: 50_000, deposits: 50_000 })
})

test('two deposits credited in parallel under one transaction id are credited once', async () => {
  await runBatch(db, [
    ...person(db, 'ella', 'investor'),
    ...person(db, 'finn', 'investor'),
    ...fileDeposit(db, { id: 'ella-1', investor: 'ella', amountCents: 50_000, atMs: T }),
    ...fileDeposit(db, { id: 'finn-1', investor: 'finn', amountCents: 50_000, atMs: T }),
  ])
  const outcomes = await Promise.all([
    creditBy('olu', 'ella', txid('same')),
    creditBy('pia', 'finn', txid('same')),
  ])
  expect(countOf(outcomes)).toEqual({ done: 1, reference_used: 1 })
})

test('a withdrawal completed, rejected and cancelled in parallel ends once', async () => {
  await funded('gus', 50_000)
  const cause = { id: 'gus-1', investor: 'gus', amountCents: 20_000 }
  await runBatch(db, fileWithdrawal(db, { ...cause, atMs: T }))
  await runBatch(db, [step('gus', 'approved', 'olu')])
  const outcomes = await Promise.all([
    outcomeOf([
      recordEvent(db, {
        request: 'gus-1',
        investor: 'gus',
        status: 'completed',
        actor: 'pia',
        atMs: T,
        amountCents: 20_000,
        reference: txid('gus-paid'),
        secondOperator: 'olu',
      }),
      payOut(db, cause, { actor: 'pia', nowMs: T }),
    ]),
    outcomeOf([step('gus', 'rejected', 'olu'), release(db, cause, { actor: 'olu', nowMs: T })]),
    outcomeOf([step('gus', 'cancelled', 'gus'), release(db, cause, { actor: 'gus', nowMs: T })]),
  ])
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  expect(await figures('gus')).toMatchObject({ held: 0 })
})

test('of 1,000 parallel allocations with money for ten, ten are reserved', async () => {
  await funded('hal', 100_000)
  await runBatch(db, [startStrategy(db, 'race', T)])
  const outcomes = await Promise.all(
    Array.from({ length: 1000 }, (_, i) =>
      outcomeOf([submitAllocation(db, asked('hal', `hal-${i}`, 10_000))]),
    ),
  )
  expect(countOf(outcomes)).toEqual({ done: 10, insufficient_funds: 990 })
  expect(await figures('hal')).toMatchObject({ available: 0, allocating: 100_000, totalBalance: 100_000 })
})

test('an order cancelled and priced in parallel is one of both, and an order settled ten times is settled once', async () => {
  await funded('ina', 100_000)
  await runBatch(db, [startStrategy(db, 'turn', T)])
  const order = asked('ina', 'ina-1', 40_000, 'turn')
  await runBatch(db, [submitAllocation(db, order)])
  const valued = { strategy: 'turn', day: DAY, unitPrice: 100_000_000 }
  const cancel = () => outcomeOf([cancelOrder('ina-1', { actor: 'ina', nowMs: DAY })])
  const [first, price, second] = await Promise.all([cancel(), outcomeOf([openDay(db, valued)]), cancel()])
  expect(price).toBe('done')
  const isCancelled = [first, second].includes('done')
  expect([first, second].filter((outcome) => outcome === 'done').length).toBeLessThanOrEqual(1)
  const at = { day: DAY, price: 101_000_000, nowMs: DAY }
  const settle = settleAllocation(db, order, NO_HOLDING, at).statement
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcomeOf([settle])))
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(isCancelled ? 0 : 1)
  expect(await figures('ina')).toMatchObject(
    isCancelled ? { available: 100_000 } : { available: 60_000, positions: 39_603 },
  )
})

test('three redemptions of the same units sell only what is there, each order once', async () => {
  await funded('joe', 100_000)
  await runBatch(db, [startStrategy(db, 'same', T)])
  const order = asked('joe', 'joe-1', 50_000, 'same')
  const bought = settleAllocation(db, order, NO_HOLDING, { day: DAY, price: 101_000_000, nowMs: DAY })
  const opened = { strategy: 'same', day: DAY, unitPrice: 100_000_000 }
  await runBatch(db, [
    submitAllocation(db, order),
    openDay(db, opened),
    bought.statement,
    endStep(db, 'same', DAY),
  ])
  const next = DAY + DAY_MS
  const all = [1, 2, 3].map((n) => ({
    ...order,
    id: `joe-r${n}`,
    ref: `REF-joe-r${n}`,
    cents: null,
    atMs: DAY + n,
  }))
  const { units } = bought
  await runBatch(db, [
    ...all.map((each) => submitRedemption(db, each)),
    openDay(db, {
      strategy: 'same',
      day: next,
      unitPrice: 101_000_001,
      units,
      netValue: 500_000_000,
      previous: openHash(opened),
    }),
  ])
  const at = { day: next, price: 99_990_000, nowMs: next }
  // Each as if it were the first, as a caller that read the position before another sold it.
  const outcomes = await Promise.all(
    all.map((each) => outcomeOf([settleRedemption(db, each, bought.holding, at)?.statement ?? []].flat())),
  )
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  const cancelled = await Promise.all(
    all.map(({ id }) => outcomeOf([cancelOrder(id, { actor: 'system', nowMs: next })])),
  )
  expect(countOf(cancelled)).toEqual({ done: 2, already_decided: 1 })
  expect(await figures('joe')).toMatchObject({ available: 99_499, positions: 0, profits: -501 })
})

function asked(investor: string, id: string, cents: number, strategy = 'race') {
  return { id, ref: `REF-${id}`, investor, strategy, cents, atMs: DAY - 5 }
}

async function funded(id: string, amountCents: number): Promise<void> {
  await runBatch(db, [
    ...person(db, id, 'investor'),
    ...fileDeposit(db, { id: `${id}-in`, investor: id, amountCents, atMs: T }),
  ])
  expect(await creditBy('olu', id, txid(`${id}-in`), `${id}-in`, amountCents)).toBe('done')
}

function creditBy(
  actor: string,
  investor: string,
  reference: string,
  id = `${investor}-1`,
  amountCents = 50_000,
) {
  return outcomeOf([
    recordEvent(db, {
      request: id,
      investor,
      status: 'approved',
      actor,
      atMs: T,
      amountCents,
      reference,
      arrived: { units: 1n, unitsAtRate: 1n },
    }),
    credit(db, { id, investor, amountCents }, { actor, nowMs: T }),
    takeIntoCustody({ request: id, asset: 'usdt', units: 1n, nowMs: T }),
  ])
}

function step(investor: string, status: 'approved' | 'rejected' | 'cancelled', actor: string) {
  return recordEvent(db, { request: `${investor}-1`, investor, status, actor, atMs: T })
}

async function outcomeOf(statements: Parameters<typeof runBatch>[1]): Promise<string> {
  try {
    await runBatch(db, statements)
    return 'done'
  } catch (error) {
    return findDatabaseRefusal(error)?.code ?? String(error)
  }
}

function countOf(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

async function figures(investor: string) {
  const [accounts] = await readTogether(db, readBooks(investor))
  return computeFigures(accounts)
}
