import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { toReferenceKey } from '../../../src/contract/money/references.ts'
import {
  ASSET_DECIMALS,
  releaseFromCustody,
  reverseCustody,
  takeIntoCustody,
} from '../../../worker/ledger/custody.ts'
import {
  credit,
  grantBonus,
  payOut,
  release,
  reverseCredit,
  reversePayout,
} from '../../../worker/ledger/post.ts'
import { recordEvent, toIntegerSql } from '../../../worker/ledger/requestEvents.ts'
import { openDatabase, type Statement } from '../../../worker/lib/database.ts'
import { creditApprovals, proposals, withdrawnApprovals } from '../../../worker/lib/tables/operators.ts'
import type { Model, ModelRequest } from './model.ts'
import { fileDeposit, fileWithdrawal, propose } from './records.ts'
import { txid } from './txid.ts'

// Everything that moves money by requests and proposals, legal and illegal, as steps of random sequences.

const MOST_STEPS = 300
// The contract's maximum for one request.
const MOST_CENTS = 1_000_000_000_000

const db = openDatabase(env.DB)
export const OPERATORS = ['olu', 'pia', 'quin'] as const
const DEPOSITED = ['bitcoin', 'ethereum', 'usdt'] as const
const WITHDRAWN = ['bitcoin', 'ethereum', 'usdt', 'usd'] as const

let names = 0
export const fresh = (prefix: string) => `${prefix}${names++}`

/** A sequence's own model, and its investors. */
export interface Scene {
  readonly model: Model
  readonly investors: readonly string[]
}

const KINDS = {
  fileDeposit: 6,
  approveFirst: 5,
  revokeApproval: 3,
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
export type Kind = keyof typeof KINDS

export interface Step {
  readonly kind: Kind
  /** Indexes of investor, operator, other operator and item, modulo the number of each. */
  readonly investor: number
  readonly operator: number
  readonly other: number
  readonly thing: number
  readonly amount: number
  /** Zero selects the unusual case: a used reference, another amount, an item in the wrong state, the wrong person. */
  readonly odd: number
  readonly minutes: number
}

export const steps = fc.array(
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

/** A step's effect on the database, and the refusal that the model expects. Null if it takes effect. */
export interface Move {
  readonly statements: readonly Statement[]
  readonly expected: string | null
}

export const MOVES: Record<Kind, (scene: Scene, step: Step, investor: string) => Move | null> = {
  fileDeposit({ model }, step, investor) {
    const id = fresh('d')
    const asset = pick(DEPOSITED, step.thing)
    const expected = model.file({ id, investor, queue: 'deposits', asset, askedCents: step.amount })
    const filing = { id, investor, amountCents: step.amount, atMs: model.nowMs }
    return { statements: fileDeposit(db, filing, asset), expected }
  },
  approveFirst({ model }, step, investor) {
    const request = find(model, step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const operator = pick(OPERATORS, step.operator)
    const amountCents = arrived(step, request)
    const reference = referenceOf(model, step)
    // Some leave the quantity to the price.
    const units = step.thing % 3 === 0 ? null : unitsFor(step)
    const expected = model.approveFirst(request, {
      operator,
      amountCents,
      reference,
      units,
      atMs: model.nowMs,
    })
    const approval = db.insert(creditApprovals).values({
      request: request.id,
      operator,
      reference,
      referenceKey: toReferenceKey(reference),
      amount: amountCents,
      units: toIntegerSql(units),
      at: model.nowMs,
    })
    return { statements: [approval], expected }
  },
  revokeApproval({ model }, step, investor) {
    const request = find(model, step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const { first } = request
    const operator = step.odd > 4 && first !== null ? first.operator : pick(OPERATORS, step.operator)
    const reference = first?.reference ?? 'none'
    const withdrawal = db.insert(withdrawnApprovals).values({
      request: request.id,
      operator,
      reference,
      referenceKey: toReferenceKey(reference),
      amount: first?.amountCents ?? 1,
      approvedAt: first?.atMs ?? 0,
      at: model.nowMs,
    })
    return { statements: [withdrawal], expected: model.revokeApproval(request, operator) }
  },
  credit({ model }, step, investor) {
    const request = find(model, step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const { first } = request
    const operator = pick(OPERATORS, step.operator)
    const agrees = first !== null && step.odd > 1
    const amountCents = agrees ? first.amountCents : arrived(step, request)
    const reference = agrees ? first.reference : referenceOf(model, step)
    const units = agrees && step.odd > 2 ? (first.units ?? unitsFor(step)) : unitsFor(step)
    const unitsAtRate = rateFor(step, units)
    const expected = model.credit(request, operator, amountCents, reference, units, unitsAtRate)
    const statements = [
      recordEvent(db, {
        ...eventOf(model, request, operator),
        status: 'approved',
        amountCents,
        reference,
        arrived: { units, unitsAtRate },
        ...(first !== null && first.operator !== operator && { secondOperator: first.operator }),
      }),
      credit(db, { id: request.id, investor, amountCents }, by(model, operator)),
      takeIntoCustody({ request: request.id, asset: request.asset, units, nowMs: model.nowMs }),
    ]
    return { statements, expected }
  },
  rejectDeposit({ model }, step, investor) {
    const request = find(model, step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const event = { ...eventOf(model, request, pick(OPERATORS, step.operator)), status: 'rejected' } as const
    return { statements: [recordEvent(db, event)], expected: model.reject(request) }
  },
  cancelDeposit({ model, investors }, step, investor) {
    const request = find(model, step, investor, 'deposits', ['pending'])
    if (request === null) return null
    const who = step.odd === 1 ? pick(investors, step.investor + 1) : investor
    const event = { ...eventOf(model, request, who), investor: who, status: 'cancelled' } as const
    return { statements: [recordEvent(db, event)], expected: model.cancel(request, who) }
  },
  fileWithdrawal({ model }, step, investor) {
    const id = fresh('w')
    const asset = pick(WITHDRAWN, step.thing)
    // Usually a share of the available money, up to all of it. Sometimes any amount.
    const available = model.available(investor)
    const share = Math.max(1, Math.ceil((available * step.odd) / 7))
    const askedCents = step.odd === 0 || available === 0 ? step.amount : Math.min(share, MOST_CENTS)
    const expected = model.file({ id, investor, queue: 'withdrawals', asset, askedCents })
    const filing = { id, investor, amountCents: askedCents, atMs: model.nowMs }
    return { statements: fileWithdrawal(db, filing, asset), expected }
  },
  approveWithdrawal({ model }, step, investor) {
    const request = find(model, step, investor, 'withdrawals', ['pending'])
    if (request === null) return null
    const operator = pick(OPERATORS, step.operator)
    const price = priceFor(step, request)
    const event = {
      ...eventOf(model, request, operator),
      status: 'approved',
      ...(price && { price }),
    } as const
    const expected = model.approve(request, operator, price?.units ?? null)
    return { statements: [recordEvent(db, event)], expected }
  },
  complete({ model }, step, investor) {
    const request = find(model, step, investor, 'withdrawals', ['approved'])
    if (request === null) return null
    const operator = pick(OPERATORS, step.operator)
    const { approver, amountCents, asset, id } = request
    const reference = referenceOf(model, step)
    const { fixedUnits } = request
    const units = sentFor(step, fixedUnits)
    const expected = model.complete(request, operator, reference, units)
    const statements = [
      recordEvent(db, {
        ...eventOf(model, request, operator),
        status: 'completed',
        amountCents,
        reference,
        ...(asset !== 'usd' && { arrived: { units, unitsAtRate: fixedUnits } }),
        ...(approver !== null && approver !== operator && { secondOperator: approver }),
      }),
      payOut(db, { id, investor, amountCents }, by(model, operator)),
      releaseFromCustody({ request: id, asset, units, nowMs: model.nowMs }),
    ]
    return { statements, expected }
  },
  rejectWithdrawal({ model }, step, investor) {
    const request = find(model, step, investor, 'withdrawals', ['pending', 'approved'])
    if (request === null) return null
    const operator = pick(OPERATORS, step.operator)
    const statements = [
      recordEvent(db, { ...eventOf(model, request, operator), status: 'rejected' }),
      release(db, causeOf(request), by(model, operator)),
    ]
    return { statements, expected: model.reject(request) }
  },
  cancelWithdrawal({ model, investors }, step, investor) {
    const request = find(model, step, investor, 'withdrawals', ['pending'])
    if (request === null) return null
    const who = step.odd === 1 ? pick(investors, step.investor + 1) : investor
    const statements = [
      recordEvent(db, { ...eventOf(model, request, who), investor: who, status: 'cancelled' }),
      release(db, causeOf(request), by(model, who)),
    ]
    return { statements, expected: model.cancel(request, who) }
  },
  proposeBonus({ model }, step, investor) {
    const id = fresh('b')
    const proposedBy = pick(OPERATORS, step.operator)
    const amountCents = Math.min(step.amount, 1_000_000)
    const expected = model.proposeBonus({ id, investor, amountCents, proposedBy, isDecided: false })
    return {
      statements: [propose(db, { id, investor, amountCents, proposedBy, atMs: model.nowMs })],
      expected,
    }
  },
  approveBonus({ model }, step, investor) {
    const all = model.bonuses.filter((each) => each.investor === investor)
    const waiting = all.filter((each) => !each.isDecided)
    const choice = step.odd > 1 && waiting.length > 0 ? waiting : all
    if (choice.length === 0) return null
    const bonus = pick(choice, step.thing)
    const operator = pick(OPERATORS, step.operator)
    const expected = model.approveBonus(bonus, operator)
    return {
      statements: [decide(model, bonus.id, operator), grantBonus(db, bonus, by(model, operator))],
      expected,
    }
  },
  reverseDeposit({ model }, step, investor) {
    return reverse(model, step, find(model, step, investor, 'deposits', ['approved']))
  },
  reverseWithdrawal({ model }, step, investor) {
    return reverse(model, step, find(model, step, investor, 'withdrawals', ['completed']))
  },
  freeze({ model }, step, investor) {
    // Rare and short, because a frozen investor files nothing.
    const isFrozen = step.odd === 0 && !model.isFrozen(investor)
    model.freeze(investor, isFrozen)
    const frozenAt = isFrozen ? String(model.nowMs) : null
    return {
      statements: [db.run(`UPDATE users SET frozen_at = ${frozenAt} WHERE id = '${investor}'`)],
      expected: null,
    }
  },
}

function reverse(model: Model, step: Step, request: ModelRequest | null): Move | null {
  if (request === null) return null
  const proposedBy = pick(OPERATORS, step.other)
  const decidedBy = step.odd === 1 ? null : pick(OPERATORS, step.operator)
  const actor = decidedBy ?? pick(OPERATORS, step.operator)
  const id = fresh('r')
  const proposal =
    decidedBy === null
      ? []
      : [
          propose(db, { id, proposedBy, atMs: model.nowMs, request: request.id }),
          decide(model, id, decidedBy),
        ]
  const cause = causeOf(request)
  const isDeposit = request.queue === 'deposits'
  const statements = [
    ...proposal,
    recordEvent(db, { ...eventOf(model, request, actor), status: 'reversed' }),
    ...(isDeposit
      ? reverseCredit(db, cause, by(model, actor))
      : [reversePayout(db, cause, by(model, actor))]),
    reverseCustody(request.id, isDeposit ? 'in' : 'out', model.nowMs),
  ]
  return { statements, expected: model.reverse(request, proposedBy, decidedBy) }
}

/** A request of the investor, usually in the state that the step needs. */
function find(
  model: Model,
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

/** The arrived amount of a deposit: usually the requested one, otherwise more or less. */
function arrived(step: Step, request: ModelRequest): number {
  return step.odd > 2 ? request.askedCents : step.amount
}

function referenceOf(model: Model, step: Step): string {
  const { references, freed } = model
  if (step.odd === 3 && freed.length > 0) return pick(freed, step.thing)
  return step.odd === 2 && step.thing % 4 === 0 && references.length > 0
    ? pick(references, step.thing)
    : txid(fresh('tx-'))
}

function unitsFor(step: Step): bigint {
  return BigInt(step.amount) * 1_009n + BigInt(step.thing)
}

/** The amount at the market price: usually close to what arrived, sometimes just too far, or unknown. */
function rateFor(step: Step, units: bigint): bigint | null {
  switch (step.minutes % 8) {
    case 0:
      return null
    case 1:
      return (units * 100n) / 97n
    case 2:
      return (units * 50n) / 51n + 1n
    default:
      return units
  }
}

/** The price that an approval fixes: one dollar for a coin, sometimes none. */
function priceFor(step: Step, { asset, amountCents }: ModelRequest) {
  if (asset === 'usd' || step.minutes % 8 === 0) return null
  return { rate: '1', units: BigInt(amountCents) * 10n ** BigInt(ASSET_DECIMALS[asset] - 2) }
}

/** What was sent: usually the fixed quantity, sometimes just within 2 % of it or beyond. */
function sentFor(step: Step, fixed: bigint | null): bigint {
  if (fixed === null) return unitsFor(step)
  switch (step.minutes % 8) {
    case 1:
      return (fixed * 51n) / 50n
    case 2:
      return (fixed * 51n) / 50n + 1n
    default:
      return fixed
  }
}

function eventOf(model: Model, request: ModelRequest, actor: string) {
  return { request: request.id, investor: request.investor, actor, atMs: model.nowMs }
}

function causeOf({ id, investor, amountCents }: ModelRequest) {
  return { id, investor, amountCents }
}

function by(model: Model, actor: string) {
  return { actor, nowMs: model.nowMs }
}

function decide(model: Model, proposal: string, decidedBy: string): Statement {
  return db
    .update(proposals)
    .set({ status: 'approved', decidedBy, decidedAt: model.nowMs })
    .where(eq(proposals.id, proposal))
}

export function pick<T>(from: readonly [T, ...T[]] | readonly T[], index: number): T {
  const found = from[index % from.length]
  if (found === undefined) throw new Error('Nothing to pick from')
  return found
}
