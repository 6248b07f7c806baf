import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../test/random.ts'
import { Model } from '../../test/support/ledger/model.ts'
import { liftCeilings, person } from '../../test/support/ledger/records.ts'
import {
  fresh,
  MOVES,
  OPERATORS,
  pick,
  type Scene,
  type Step,
  steps,
} from '../../test/support/ledger/steps.ts'
import { openDatabase, prepare, runBatch, type Statement } from '../lib/database.ts'
import { findDatabaseRefusal } from '../lib/errors.ts'
import { type BookRow, computeFigures, type Figures } from './balances.ts'
import type { Asset } from './custody.ts'

// Random sequences of everything that moves money, legal and illegal, with the real triggers in workerd. The model says what each
// step must answer and the state after it.

const RUNS = 118
const SEED = 20_260_131
/** Steps that take effect and are sent together. */
const MOST_TOGETHER = 40

const db = openDatabase(env.DB)
const answers = new Map<string, number>()
let overdrawn = 0
let repaid = 0

test('books, floors, figures and custody hold after every step of any sequence', async () => {
  await runBatch(db, [
    ...OPERATORS.flatMap((id) => person(db, id, 'operator')),
    ...liftCeilings(db, 'olu', 'pia'),
  ])
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const investors = [fresh('ana'), fresh('bob'), fresh('eve')] as const
      await runBatch(
        db,
        investors.flatMap((id) => person(db, id, 'investor')),
      )
      // Sequences share one database, each with its own investors.
      const { custody, transfers } = await lookNow('')
      const model = new Model({ custody, transfers })
      for (const id of investors) model.open(id)
      await live({ model, investors }, sequence)
      for (const investor of investors) {
        assertAgrees(await lookNow(investor), expectedOf(model, investor))
        await assertHistoryAgrees({ model, investors }, investor)
      }
    }),
    randomRuns(RUNS, SEED),
  )
  let operations = 0
  for (const times of answers.values()) operations += times
  expect(operations).toBeGreaterThanOrEqual(10_000)
  // Every possible answer of the ledger occurred, and none rarely.
  const rare = EVERY_ANSWER.filter((answer) => (answers.get(answer) ?? 0) < 5)
  expect(rare).toEqual([])
  expect([...answers.keys()].sort()).toEqual(EVERY_ANSWER)
  expect(Math.min(overdrawn, repaid)).toBeGreaterThan(10)
}, 900_000)

/** A step that takes effect in the model, and the expected state after it. */
interface Taken {
  readonly step: Step
  readonly statements: readonly Statement[]
  readonly investor: string
  readonly expected: Expected
}

/**
 * Applies each step to the database and the model. Effective steps are sent together, with a read of the books after each: a
 * batch runs its statements in order, and single round trips would take most of the time. Refused steps are sent alone and must
 * change nothing.
 */
async function live(scene: Scene, sequence: readonly Step[]): Promise<void> {
  const { model, investors } = scene
  let together: Taken[] = []
  for (const step of sequence) {
    const investor = pick(investors, step.investor)
    model.nowMs += step.minutes * 60_000
    const { owed } = model.figures(investor)
    const move = MOVES[step.kind](scene, step, investor)
    if (move === null) continue
    const owes = model.figures(investor).owed
    if (owes > owed) overdrawn += 1
    if (owes < owed) repaid += 1
    const answer = `${step.kind}: ${move.expected ?? 'done'}`
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
    const isRefused = move.expected !== null
    if (!isRefused)
      together.push({ step, statements: move.statements, investor, expected: expectedOf(model, investor) })
    if (isRefused || together.length === MOST_TOGETHER) {
      await take(together)
      together = []
    }
    if (isRefused)
      expect({ ...step, answered: await refusalOf(move.statements) }).toEqual({
        ...step,
        answered: move.expected,
      })
  }
  await take(together)
}

async function take(together: readonly Taken[]): Promise<void> {
  if (together.length === 0) return
  const statements = together.flatMap(({ statements, investor }) => [
    ...statements.map((statement) => prepare(db, statement.getSQL())),
    look(investor),
  ])
  const results = await env.DB.batch<LookRow>(statements).catch((error: unknown) =>
    expect.fail(
      `One of these was refused: ${codeOf(error)}\n${together.map(({ step }) => JSON.stringify(step)).join('\n')}`,
    ),
  )
  let place = -1
  for (const { statements, expected } of together) {
    place += statements.length + 1
    assertAgrees(lookOf(results[place]?.results[0]), expected)
  }
}

/** The refusal's code. Null if the batch took effect. */
async function refusalOf(statements: readonly Statement[]): Promise<string | null> {
  try {
    await runBatch(db, statements)
    return null
  } catch (error) {
    return codeOf(error)
  }
}

function codeOf(error: unknown): string {
  return findDatabaseRefusal(error)?.code ?? String(error instanceof Error ? error.message : error)
}

const EVERY_ANSWER = [
  'approveBonus: account_frozen',
  'approveBonus: already_decided',
  'approveBonus: done',
  'approveBonus: second_operator_required',
  'approveFirst: account_frozen',
  'approveFirst: already_decided',
  'approveFirst: conflict',
  'approveFirst: done',
  'approveFirst: reference_used',
  'approveWithdrawal: account_frozen',
  'approveWithdrawal: already_decided',
  'approveWithdrawal: debt_outstanding',
  'approveWithdrawal: done',
  'cancelDeposit: already_decided',
  'cancelDeposit: done',
  'cancelDeposit: not_found',
  'cancelWithdrawal: already_decided',
  'cancelWithdrawal: done',
  'cancelWithdrawal: not_found',
  'complete: account_frozen',
  'complete: already_decided',
  'complete: debt_outstanding',
  'complete: done',
  'complete: reference_used',
  'complete: second_operator_required',
  'credit: account_frozen',
  'credit: already_decided',
  'credit: approval_mismatch',
  'credit: done',
  'credit: reference_used',
  'credit: second_operator_required',
  'fileDeposit: account_frozen',
  'fileDeposit: done',
  'fileWithdrawal: account_frozen',
  'fileWithdrawal: debt_outstanding',
  'fileWithdrawal: done',
  'fileWithdrawal: insufficient_funds',
  'freeze: done',
  'proposeBonus: done',
  'rejectDeposit: already_decided',
  'rejectDeposit: done',
  'rejectWithdrawal: already_decided',
  'rejectWithdrawal: done',
  'reverseDeposit: already_decided',
  'reverseDeposit: done',
  'reverseDeposit: second_operator_required',
  'reverseWithdrawal: already_decided',
  'reverseWithdrawal: done',
  'reverseWithdrawal: second_operator_required',
  'revokeApproval: already_decided',
  'revokeApproval: conflict',
  'revokeApproval: done',
  'revokeApproval: forbidden',
]

/** Reads an investor's books, and custody and transfers of all. */
interface Look {
  readonly accounts: readonly BookRow[]
  readonly pending: number
  readonly custody: Readonly<Record<Asset, bigint>>
  readonly transfers: number
}

interface LookRow {
  readonly accounts: string
  readonly pending: number
  readonly custody: string
  readonly transfers: number
}

function look(investor: string): D1PreparedStatement {
  return env.DB.prepare(`
    SELECT
      (SELECT json_group_array(json_object('kind', kind, 'balance', balance, 'price', NULL)) FROM accounts WHERE owner = ?1) AS accounts,
      (SELECT coalesce(sum(asked), 0) FROM requests WHERE investor = ?1 AND queue = 'deposits' AND status = 'pending') AS pending,
      (SELECT json_group_object(asset, CAST(balance AS TEXT)) FROM custody_balances) AS custody,
      (SELECT coalesce(max(seq), 0) FROM transfers) AS transfers`).bind(investor)
}

async function lookNow(investor: string): Promise<Look> {
  return lookOf(await look(investor).first<LookRow>())
}

function lookOf(row: LookRow | null | undefined): Look {
  if (!row) throw new Error('Nothing was seen')
  const custody = Object.entries(JSON.parse(row.custody) as Record<Asset, string>)
  return {
    accounts: JSON.parse(row.accounts) as BookRow[],
    pending: row.pending,
    custody: Object.fromEntries(
      custody.map(([asset, balance]) => [asset, BigInt(balance)]),
    ) as Look['custody'],
    transfers: row.transfers,
  }
}

interface Expected {
  readonly figures: Figures
  readonly custody: Readonly<Record<Asset, bigint>>
  readonly transfers: number
}

function expectedOf(model: Model, investor: string): Expected {
  return { figures: model.figures(investor), custody: { ...model.custody }, transfers: model.transfers }
}

const FLOORS: Record<string, (balance: number) => boolean> = {
  available: (balance) => balance >= 0,
  held: (balance) => balance >= 0,
  paid_out: (balance) => balance >= 0,
  paid_in: (balance) => balance <= 0,
  granted: (balance) => balance <= 0,
  owed: (balance) => balance <= 0,
  fees: (balance) => balance === 0,
}

function assertAgrees({ accounts, pending, custody, transfers }: Look, expected: Expected): void {
  let sum = 0
  for (const { kind, balance } of accounts) {
    sum += balance
    if (!FLOORS[kind]?.(balance)) expect.fail(`${kind} passed its floor: ${balance}`)
  }
  expect(sum).toBe(0)
  const figures = computeFigures([...accounts, { kind: 'pending_deposits', balance: pending, price: null }])
  expect({ figures, custody, transfers }).toEqual(expected)
  expect(figures.totalBalance).toBe(
    figures.available + figures.held + figures.allocating + figures.positions - figures.owed,
  )
}

/** At the end of a sequence: the model's states, and balances summed over all transfers. */
async function assertHistoryAgrees({ model }: Scene, investor: string): Promise<void> {
  const [states, sums] = await env.DB.batch<Record<string, unknown>>([
    env.DB.prepare('SELECT id, status, amount FROM requests WHERE investor = ? ORDER BY seq').bind(investor),
    env.DB.prepare(
      `SELECT a.id FROM accounts a WHERE a.owner = ? AND a.balance <>
         (SELECT coalesce(sum(amount), 0) FROM transfers WHERE to_account = a.id)
         - (SELECT coalesce(sum(amount), 0) FROM transfers WHERE from_account = a.id)`,
    ).bind(investor),
  ])
  const known = model.requests.filter((each) => each.investor === investor)
  expect(states?.results).toEqual(
    known.map(({ id, status, amountCents }) => ({ id, status, amount: amountCents })),
  )
  expect(sums?.results).toEqual([])
}
