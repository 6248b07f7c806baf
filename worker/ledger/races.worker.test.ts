import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase, runBatch } from '../lib/database.ts'
import { refusalOfDatabase } from '../lib/errors.ts'
import { recordEvent } from '../requests/events.ts'
import { figuresOf, readBooks } from './balances.ts'
import { takeIntoCustody } from './custody.ts'
import { credit, hold, payOut, release } from './post.ts'
import { fileDeposit, fileWithdrawal, person } from './testing/scene.ts'

// Many at once about the same money: the database lets exactly as many through as there is money for.

const db = openDatabase(env.DB)
const T = 1_700_000_000_000

beforeAll(() =>
  runBatch(
    db,
    ['olu', 'pia'].flatMap((id) => person(db, id, 'operator')),
  ),
)

test('of 200 withdrawals at once of what covers ten, exactly ten are held', async () => {
  await funded('ana', 100_000)
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      outcomeOf(fileWithdrawal(db, { id: `ana-${i}`, investor: 'ana', amountCents: 10_000, atMs: T })),
    ),
  )
  expect(countOf(outcomes)).toEqual({ done: 10, insufficient_funds: 190 })
  expect(await figures('ana')).toMatchObject({ available: 0, held: 100_000, totalBalance: 100_000 })
})

test('of 200 holds at once for twenty requests on file, ten are taken, each once', async () => {
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

test('of 30 deposits filed at once, twenty stay open', async () => {
  await runBatch(db, person(db, 'cleo', 'investor'))
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      outcomeOf(fileDeposit(db, { id: `cleo-${i}`, investor: 'cleo', amountCents: 100, atMs: T })),
    ),
  )
  expect(countOf(outcomes)).toEqual({ done: 20, too_many_open: 10 })
})

test('two operators who credit a deposit at once credit it once', async () => {
  await runBatch(db, [
    ...person(db, 'dora', 'investor'),
    ...fileDeposit(db, { id: 'dora-1', investor: 'dora', amountCents: 50_000, atMs: T }),
  ])
  const outcomes = await Promise.all(
    ['olu', 'pia', 'olu', 'pia'].map((actor, i) => creditBy(actor, 'dora', `t${i}`)),
  )
  expect(countOf(outcomes)).toEqual({ done: 1, already_decided: 3 })
  expect(await figures('dora')).toMatchObject({ available: 50_000, deposits: 50_000 })
})

test('two deposits credited at once under one transaction id are credited once', async () => {
  await runBatch(db, [
    ...person(db, 'ella', 'investor'),
    ...person(db, 'finn', 'investor'),
    ...fileDeposit(db, { id: 'ella-1', investor: 'ella', amountCents: 50_000, atMs: T }),
    ...fileDeposit(db, { id: 'finn-1', investor: 'finn', amountCents: 50_000, atMs: T }),
  ])
  const outcomes = await Promise.all([creditBy('olu', 'ella', '0xSAME'), creditBy('pia', 'finn', 'same')])
  expect(countOf(outcomes)).toEqual({ done: 1, reference_used: 1 })
})

test('a withdrawal that is completed, rejected and cancelled at once ends once', async () => {
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
        reference: 'gus-paid',
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

async function funded(id: string, amountCents: number): Promise<void> {
  await runBatch(db, [
    ...person(db, id, 'investor'),
    ...fileDeposit(db, { id: `${id}-in`, investor: id, amountCents, atMs: T }),
  ])
  expect(await creditBy('olu', id, `${id}-in`, `${id}-in`, amountCents)).toBe('done')
}

function creditBy(
  actor: string,
  investor: string,
  reference: string,
  id = `${investor}-1`,
  amountCents = 50_000,
) {
  return outcomeOf([
    recordEvent(db, { request: id, investor, status: 'approved', actor, atMs: T, amountCents, reference }),
    ...credit(db, { id, investor, amountCents }, { actor, nowMs: T }),
    takeIntoCustody(db, { request: id, asset: 'usdt', units: 1n, nowMs: T }),
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
    return refusalOfDatabase(error)?.code ?? String(error)
  }
}

function countOf(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

async function figures(investor: string) {
  const [accounts, pending] = await db.batch(readBooks(db, investor))
  return figuresOf(accounts, pending[0]?.pending ?? 0)
}
