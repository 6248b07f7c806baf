import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { referenceKey } from '../../src/contract/references.ts'
import { openDatabase, runBatch, type Statement } from '../lib/database.ts'
import { refusalOfDatabase } from '../lib/errors.ts'
import { creditApprovals, proposals, withdrawnApprovals } from '../operator/tables.ts'
import { recordEvent } from '../requests/events.ts'
import { type BookRow, figuresOf } from './balances.ts'
import { type Asset, giveFromCustody, reverseCustody, takeIntoCustody } from './custody.ts'
import { credit, grantBonus, payOut, release, reverseCredit, reversePayout } from './post.ts'
import { Model, type ModelRequest } from './testing/model.ts'
import { fileDeposit, fileWithdrawal, person, propose } from './testing/scene.ts'

// Random sequences of everything that moves money, legal and illegal, against the real triggers in workerd. The model
// says what each step must answer and where everything must stand after it.

const RUNS = 130
const MOST_STEPS = 300
const SEED = 20_260_131
// The contract takes no more in one request.
const MOST_CENTS = 1_000_000_000_000

const db = openDatabase(env.DB)
const OPERATORS = ['olu', 'pia', 'quin'] as const
const DEPOSITED = ['bitcoin', 'ethereum', 'usdt'] as const
const WITHDRAWN = ['bitcoin', 'ethereum', 'usdt', 'usd'] as const

const KINDS = {
  fileDeposit: 6,
  approveFirst: 5,
  withdrawApproval: 3,
  credit: 9,
  rejectDeposit: 1,
  cancelDeposit: 1,
  fileWithdrawal: 7,
  approveWithdrawal: 5,
  complete: 5,
  rejectWithdrawal: 2,
  cancelWithdrawal: 2,
  proposeBonus: 2,
  approveBonus: 3,
  reverseDeposit: 3,
  reverseWithdrawal: 1,
  freeze: 1,
} as const
type Kind = keyof typeof KINDS

interface Step {
  readonly kind: Kind
  /** Which investor, operator, other operator, thing: numbers that are taken modulo what there is. */
  readonly investor: number
  readonly operator: number
  readonly other: number
  readonly thing: number
  readonly amount: number
  /** Zero is the odd case: a used reference, another amount, a thing in the wrong state, the wrong person. */
  readonly odd: number
  readonly minutes: number
}

const steps = fc.array(
  fc.record({
    kind: fc.oneof(
      ...Object.entries(KINDS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as Kind) })),
    ),
    investor: fc.nat(2),
    operator: fc.nat(2),
    other: fc.nat(2),
    thing: fc.nat(1_000),
    amount: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 200_000 }) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 1_200_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(1, 499_999, 500_000, 500_001, MOST_CENTS) },
    ),
    odd: fc.nat(7),
    minutes: fc.nat(40),
  }),
  { minLength: 1, maxLength: MOST_STEPS, size: 'max' },
)

let model = new Model({ custody: { bitcoin: 0n, ethereum: 0n, usdt: 0n, usd: 0n }, transfers: 0 })
const answers = new Map<string, number>()
let overdrawn = 0
let repaid = 0
let names = 0
const fresh = (prefix: string) => `${prefix}${names++}`

test('books, floors, figures and custody hold after every step of any sequence', async () => {
  await runBatch(
    db,
    OPERATORS.flatMap((id) => person(db, id, 'operator')),
  )
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const investors = [fresh('ana'), fresh('bob'), fresh('eve')] as const
      await runBatch(
        db,
        investors.flatMap((id) => person(db, id, 'investor')),
      )
      // Sequences follow one another in one database, each with investors of its own.
      model = new Model(await readStanding())
      for (const id of investors) model.open(id)
      for (const step of sequence) {
        const investor = pick(investors, step.investor)
        await take(step, investor, investors)
        await assertAgrees(investor)
      }
      for (const investor of investors) await assertHistoryAgrees(investor)
    }),
    { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: 150_000 },
  )
  let operations = 0
  for (const times of answers.values()) operations += times
  expect(operations).toBeGreaterThanOrEqual(10_000)
  // No answer that the ledger can give was left out, and none is a rarity.
  const rare = EVERY_ANSWER.filter((answer) => (answers.get(answer) ?? 0) < 5)
  expect(rare).toEqual([])
  expect([...answers.keys()].sort()).toEqual(EVERY_ANSWER)
  expect(Math.min(overdrawn, repaid)).toBeGreaterThan(10)
}, 400_000)

/** Takes one step for real and in the model, and compares what both answer. */
async function take(step: Step, investor: string, investors: readonly string[]): Promise<void> {
  model.nowMs += step.minutes * 60_000
  const owed = model.figures(investor).owed
  const move = MOVES[step.kind](step, investor, investors)
  if (move === null) return
  if (model.figures(investor).owed > owed) overdrawn += 1
  if (model.figures(investor).owed < owed) repaid += 1
  const answered = await run(move.statements)
  expect({ ...step, answered }).toEqual({ ...step, answered: move.expected })
  const answer = `${step.kind}: ${answered ?? 'done'}`
  answers.set(answer, (answers.get(answer) ?? 0) + 1)
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
  'approveWithdrawal: done',
  'cancelDeposit: already_decided',
  'cancelDeposit: done',
  'cancelDeposit: not_found',
  'cancelWithdrawal: already_decided',
  'cancelWithdrawal: done',
  'cancelWithdrawal: not_found',
  'complete: account_frozen',
  'complete: already_decided',
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
  'withdrawApproval: already_decided',
  'withdrawApproval: conflict',
  'withdrawApproval: done',
  'withdrawApproval: forbidden',
]

interface Move {
  readonly statements: readonly Statement[]
  readonly expected: string | null
}

const MOVES: Record<Kind, (step: Step, investor: string, investors: readonly string[]) => Move | null> = {
  fileDeposit(step, investor) {
    const id = fresh('d')
    const asset = pick(DEPOSITED, step.thing)
    const expected = model.file({ id, investor, queue: 'deposits', asset, askedCents: step.amount })
    const filing = { id, investor, amountCents: step.amount, atMs: model.nowMs }
    return { statements: fileDeposit(db, filing, asset), expected }
  },
  approveFirst(step, investor) {
    const request = find(step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const operator = pick(OPERATORS, step.operator)
    const amountCents = arrived(step, request)
    const reference = referenceOf(step)
    const expected = model.approveFirst(request, { operator, amountCents, reference, atMs: model.nowMs })
    const approval = db.insert(creditApprovals).values({
      request: request.id,
      operator,
      reference,
      referenceKey: referenceKey(reference),
      amount: amountCents,
      at: model.nowMs,
    })
    return { statements: [approval], expected }
  },
  withdrawApproval(step, investor) {
    const request = find(step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const { first } = request
    const operator = step.odd > 4 && first !== null ? first.operator : pick(OPERATORS, step.operator)
    const reference = first?.reference ?? 'none'
    const withdrawal = db.insert(withdrawnApprovals).values({
      request: request.id,
      operator,
      reference,
      referenceKey: referenceKey(reference),
      amount: first?.amountCents ?? 1,
      approvedAt: first?.atMs ?? 0,
      at: model.nowMs,
    })
    return { statements: [withdrawal], expected: model.withdrawApproval(request, operator) }
  },
  credit(step, investor) {
    const request = find(step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const { first } = request
    const operator = pick(OPERATORS, step.operator)
    const agrees = first !== null && step.odd > 1
    const amountCents = agrees ? first.amountCents : arrived(step, request)
    const reference = agrees ? first.reference : referenceOf(step)
    const units = unitsFor(step)
    const expected = model.credit(request, operator, amountCents, reference, units)
    const statements = [
      recordEvent(db, {
        ...eventOf(request, operator),
        status: 'approved',
        amountCents,
        reference,
        ...(first !== null && first.operator !== operator && { secondOperator: first.operator }),
      }),
      ...credit(db, { id: request.id, investor, amountCents }, by(operator)),
      takeIntoCustody(db, { request: request.id, asset: request.asset, units, nowMs: model.nowMs }),
    ]
    return { statements, expected }
  },
  rejectDeposit(step, investor) {
    const request = find(step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const event = { ...eventOf(request, pick(OPERATORS, step.operator)), status: 'rejected' } as const
    return { statements: [recordEvent(db, event)], expected: model.reject(request) }
  },
  cancelDeposit(step, investor, investors) {
    const request = find(step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const who = step.odd === 1 ? pick(investors, step.investor + 1) : investor
    const event = { ...eventOf(request, who), investor: who, status: 'cancelled' } as const
    return { statements: [recordEvent(db, event)], expected: model.cancel(request, who) }
  },
  fileWithdrawal(step, investor) {
    const id = fresh('w')
    const asset = pick(WITHDRAWN, step.thing)
    // Mostly a share of what is available, up to all of it; sometimes whatever comes.
    const available = model.available(investor)
    const share = Math.max(1, Math.ceil((available * step.odd) / 7))
    const askedCents = step.odd === 0 || available === 0 ? step.amount : Math.min(share, MOST_CENTS)
    const expected = model.file({ id, investor, queue: 'withdrawals', asset, askedCents })
    const filing = { id, investor, amountCents: askedCents, atMs: model.nowMs }
    return { statements: fileWithdrawal(db, filing, asset), expected }
  },
  approveWithdrawal(step, investor) {
    const request = find(step, investor, 'withdrawals', ['pending'])
    if (request === null) return null
    const operator = pick(OPERATORS, step.operator)
    const event = { ...eventOf(request, operator), status: 'approved' } as const
    return { statements: [recordEvent(db, event)], expected: model.approve(request, operator) }
  },
  complete(step, investor) {
    const request = find(step, investor, 'withdrawals', ['approved'])
    if (request === null) return null
    const operator = pick(OPERATORS, step.operator)
    const { approver, amountCents, asset, id } = request
    const reference = referenceOf(step)
    const units = unitsFor(step)
    const expected = model.complete(request, operator, reference, units)
    const statements = [
      recordEvent(db, {
        ...eventOf(request, operator),
        status: 'completed',
        amountCents,
        reference,
        ...(approver !== null && approver !== operator && { secondOperator: approver }),
      }),
      payOut(db, { id, investor, amountCents }, by(operator)),
      giveFromCustody(db, { request: id, asset, units, nowMs: model.nowMs }),
    ]
    return { statements, expected }
  },
  rejectWithdrawal(step, investor) {
    const request = find(step, investor, 'withdrawals', ['pending', 'approved'])
    if (request === null) return null
    const operator = pick(OPERATORS, step.operator)
    const statements = [
      recordEvent(db, { ...eventOf(request, operator), status: 'rejected' }),
      release(db, causeOf(request), by(operator)),
    ]
    return { statements, expected: model.reject(request) }
  },
  cancelWithdrawal(step, investor, investors) {
    const request = find(step, investor, 'withdrawals', ['pending'])
    if (request === null) return null
    const who = step.odd === 1 ? pick(investors, step.investor + 1) : investor
    const statements = [
      recordEvent(db, { ...eventOf(request, who), investor: who, status: 'cancelled' }),
      release(db, causeOf(request), by(who)),
    ]
    return { statements, expected: model.cancel(request, who) }
  },
  proposeBonus(step, investor) {
    const id = fresh('b')
    const proposedBy = pick(OPERATORS, step.operator)
    const amountCents = Math.min(step.amount, 1_000_000)
    const expected = model.proposeBonus({ id, investor, amountCents, proposedBy, isDecided: false })
    return {
      statements: [propose(db, { id, investor, amountCents, proposedBy, atMs: model.nowMs })],
      expected,
    }
  },
  approveBonus(step, investor) {
    const all = model.bonuses.filter((each) => each.investor === investor)
    const waiting = all.filter((each) => !each.isDecided)
    const choice = step.odd > 1 && waiting.length > 0 ? waiting : all
    if (choice.length === 0) return null
    const bonus = pick(choice, step.thing)
    const operator = pick(OPERATORS, step.operator)
    const expected = model.approveBonus(bonus, operator)
    return { statements: [decide(bonus.id, operator), grantBonus(db, bonus, by(operator))], expected }
  },
  reverseDeposit(step, investor) {
    return reverse(step, find(step, investor, 'deposits', ['approved']))
  },
  reverseWithdrawal(step, investor) {
    return reverse(step, find(step, investor, 'withdrawals', ['completed']))
  },
  freeze(step, investor) {
    // Seldom and not for long: a frozen investor files nothing.
    const isFrozen = step.odd === 0 && !model.isFrozen(investor)
    model.freeze(investor, isFrozen)
    const frozenAt = isFrozen ? String(model.nowMs) : null
    return {
      statements: [db.run(`UPDATE users SET frozen_at = ${frozenAt} WHERE id = '${investor}'`)],
      expected: null,
    }
  },
}

function reverse(step: Step, request: ModelRequest | null): Move | null {
  if (request === null) return null
  const proposedBy = pick(OPERATORS, step.other)
  const decidedBy = step.odd === 1 ? null : pick(OPERATORS, step.operator)
  const actor = decidedBy ?? pick(OPERATORS, step.operator)
  const id = fresh('r')
  const proposal =
    decidedBy === null
      ? []
      : [propose(db, { id, proposedBy, atMs: model.nowMs, request: request.id }), decide(id, decidedBy)]
  const cause = causeOf(request)
  const isDeposit = request.queue === 'deposits'
  const statements = [
    ...proposal,
    recordEvent(db, { ...eventOf(request, actor), status: 'reversed' }),
    ...(isDeposit ? reverseCredit(db, cause, by(actor)) : [reversePayout(db, cause, by(actor))]),
    reverseCustody(db, request.id, isDeposit ? 'in' : 'out', model.nowMs),
  ]
  return { statements, expected: model.reverse(request, proposedBy, decidedBy) }
}

/** The refusal's code, null where the batch took effect. */
async function run(statements: readonly Statement[]): Promise<string | null> {
  try {
    await runBatch(db, statements)
    return null
  } catch (error) {
    return refusalOfDatabase(error)?.code ?? String(error instanceof Error ? error.message : error)
  }
}

interface Books {
  readonly accounts: readonly BookRow[]
  readonly pending: number
  readonly custody: readonly { asset: Asset; balance: string }[]
  readonly transfers: number
}

async function readStanding() {
  const { custody, transfers } = await readAll('')
  const units = Object.fromEntries(custody.map(({ asset, balance }) => [asset, BigInt(balance)]))
  return { custody: units as Record<Asset, bigint>, transfers }
}

async function readAll(investor: string): Promise<Books> {
  const [accounts, pending, custody, newest] = await env.DB.batch<Record<string, unknown>>([
    env.DB.prepare('SELECT kind, balance, NULL AS price FROM accounts WHERE owner = ?').bind(investor),
    env.DB.prepare(
      "SELECT coalesce(sum(asked), 0) AS cents FROM requests WHERE investor = ? AND queue = 'deposits' AND status = 'pending'",
    ).bind(investor),
    env.DB.prepare('SELECT asset, CAST(balance AS TEXT) AS balance FROM custody_balances'),
    env.DB.prepare('SELECT coalesce(max(seq), 0) AS transfers FROM transfers'),
  ])
  return {
    accounts: (accounts?.results ?? []) as unknown as Books['accounts'],
    pending: Number(pending?.results[0]?.cents),
    custody: (custody?.results ?? []) as unknown as Books['custody'],
    transfers: Number(newest?.results[0]?.transfers),
  }
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

async function assertAgrees(investor: string): Promise<void> {
  const { accounts, pending, custody, transfers } = await readAll(investor)
  let sum = 0
  for (const { kind, balance } of accounts) {
    sum += balance
    if (!FLOORS[kind]?.(balance)) expect.fail(`${kind} passed its floor: ${balance}`)
  }
  expect(sum).toBe(0)
  const figures = figuresOf(accounts, pending)
  expect(figures).toEqual(model.figures(investor))
  expect(figures.totalBalance).toBe(
    figures.available + figures.held + figures.allocating + figures.positions - figures.owed,
  )
  for (const { asset, balance } of custody)
    expect(`${asset} ${balance}`).toBe(`${asset} ${model.custody[asset]}`)
  expect(transfers).toBe(model.transfers)
}

/** At the end of a sequence: states as the model has them, and balances as a sum over all transfers gives them. */
async function assertHistoryAgrees(investor: string): Promise<void> {
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

/** A request of the investor, mostly one in a state that the step wants. */
function find(
  step: Step,
  investor: string,
  queue: ModelRequest['queue'],
  wanted: readonly ModelRequest['status'][],
): ModelRequest | null {
  const all = model.requests.filter((each) => each.investor === investor && each.queue === queue)
  const right = all.filter((each) => wanted.includes(each.status))
  const choice = step.odd > 0 && right.length > 0 ? right : all
  return choice.length === 0 ? null : pick(choice, step.thing)
}

/** What arrived of a deposit: mostly what was asked, else more or less. */
function arrived(step: Step, request: ModelRequest): number {
  return step.odd > 2 ? request.askedCents : step.amount
}

function referenceOf(step: Step): string {
  const { references, freed } = model
  if (step.odd === 3 && freed.length > 0) return pick(freed, step.thing)
  return step.odd === 2 && step.thing % 4 === 0 && references.length > 0
    ? pick(references, step.thing)
    : fresh('0xtx-')
}

function unitsFor(step: Step): bigint {
  return BigInt(step.amount) * 1_009n + BigInt(step.thing)
}

function eventOf(request: ModelRequest, actor: string) {
  return { request: request.id, investor: request.investor, actor, atMs: model.nowMs }
}

function causeOf({ id, investor, amountCents }: ModelRequest) {
  return { id, investor, amountCents }
}

function by(actor: string) {
  return { actor, nowMs: model.nowMs }
}

function decide(proposal: string, decidedBy: string): Statement {
  return db
    .update(proposals)
    .set({ status: 'approved', decidedBy, decidedAt: model.nowMs })
    .where(eq(proposals.id, proposal))
}

function pick<T>(from: readonly [T, ...T[]] | readonly T[], index: number): T {
  const found = from[index % from.length]
  if (found === undefined) throw new Error('Nothing to pick from')
  return found
}
