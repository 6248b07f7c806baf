import type { RefusalCode } from '../../../src/contract/errors.ts'
import { DAY_MS } from '../../../src/time.ts'
import type { Figures } from '../../../worker/ledger/balances.ts'
import type { Asset } from '../../../worker/ledger/custody.ts'
import type { RequestStatus } from '../../../worker/ledger/requestEvents.ts'

const LIMIT_CENTS = 500_000
const MOST_OPEN = 20
const TOLERANCE_PERCENT = 2n

/** A request as the model knows it. */
export interface ModelRequest {
  readonly id: string
  readonly investor: string
  readonly queue: 'deposits' | 'withdrawals'
  readonly asset: Asset
  readonly askedCents: number
  status: RequestStatus
  amountCents: number
  first: FirstApproval | null
  approver: string | null
  /** The reference under which it was credited or paid. */
  reference: string | null
  units: bigint
  /** What a withdrawal's amount buys at the price that its approval fixed. */
  fixedUnits: bigint | null
}

interface FirstApproval {
  readonly operator: string
  readonly amountCents: number
  readonly reference: string
  /** The stated quantity. Null: computed from the price. */
  readonly units: bigint | null
  readonly atMs: number
}

export interface ModelBonus {
  readonly id: string
  readonly investor: string
  readonly amountCents: number
  readonly proposedBy: string
  isDecided: boolean
}

interface Purse {
  available: number
  held: number
  owed: number
  deposits: number
  withdrawals: number
  bonus: number
  isFrozen: boolean
}

interface Decision {
  readonly queue: ModelRequest['queue']
  readonly investor: string
  readonly operator: string
  readonly amountCents: number
  readonly atMs: number
}

type Outcome = RefusalCode | null

/**
 * The rules of money in plain TypeScript, without SQL or ledger. The database must agree with it after every step. Each verb
 * returns the expected refusal, or null and takes effect.
 */
export class Model {
  readonly requests: ModelRequest[] = []
  readonly bonuses: ModelBonus[] = []
  /** Used, and not free again by a reversal. */
  readonly references: string[] = []
  readonly freed: string[] = []
  readonly custody: Record<Asset, bigint>
  /** The number of transfers. A refused step adds none. */
  transfers: number
  nowMs = 1_700_000_000_000
  readonly #purses = new Map<string, Purse>()
  #alone: Decision[] = []
  /** Pairs of operator and investor: who ever gave whom money, alone or as one of two. */
  readonly #creditors = new Set<string>()

  /** Starts from the platform's state, because custody and the number of transfers are shared by all investors. */
  constructor(standing: { readonly custody: Record<Asset, bigint>; readonly transfers: number }) {
    this.custody = { ...standing.custody }
    this.transfers = standing.transfers
  }

  open(investor: string): void {
    const empty = { available: 0, held: 0, owed: 0, deposits: 0, withdrawals: 0, bonus: 0, isFrozen: false }
    this.#purses.set(investor, empty)
  }

  available(investor: string): number {
    return this.#purse(investor).available
  }

  freeze(investor: string, isFrozen: boolean): void {
    this.#purse(investor).isFrozen = isFrozen
  }

  isFrozen(investor: string): boolean {
    return this.#purse(investor).isFrozen
  }

  file(request: Pick<ModelRequest, 'id' | 'investor' | 'queue' | 'asset' | 'askedCents'>): Outcome {
    const purse = this.#purse(request.investor)
    const amount = request.askedCents
    if (purse.isFrozen) return 'account_frozen'
    if (this.#open(request.investor, request.queue) >= MOST_OPEN) return 'too_many_open'
    if (request.queue === 'withdrawals') {
      if (purse.owed > 0) return 'debt_outstanding'
      if (amount > purse.available) return 'insufficient_funds'
      purse.available -= amount
      purse.held += amount
      this.transfers += 1
    }
    this.requests.push({
      ...request,
      status: 'pending',
      amountCents: amount,
      first: null,
      approver: null,
      reference: null,
      units: 0n,
      fixedUnits: null,
    })
    return null
  }

  approveFirst(request: ModelRequest, first: FirstApproval): Outcome {
    if (this.isFrozen(request.investor)) return 'account_frozen'
    if (request.queue !== 'deposits' || request.status !== 'pending') return 'already_decided'
    if (request.first !== null) return 'conflict'
    if (this.references.includes(first.reference)) return 'reference_used'
    request.first = first
    return null
  }

  revokeApproval(request: ModelRequest, operator: string): Outcome {
    if (request.queue !== 'deposits' || request.status !== 'pending') return 'already_decided'
    if (request.first === null) return 'conflict'
    if (request.first.operator !== operator) return 'forbidden'
    request.first = null
    return null
  }

  credit(
    request: ModelRequest,
    operator: string,
    amountCents: number,
    reference: string,
    units: bigint,
    unitsAtRate: bigint | null = units,
  ): Outcome {
    const { first } = request
    if (this.isFrozen(request.investor)) return 'account_frozen'
    if (request.status !== 'pending') return 'already_decided'
    if (this.references.includes(reference)) return 'reference_used'
    const isSecond = first !== null && first.operator !== operator
    if (isSecond && (first.amountCents !== amountCents || first.reference !== reference))
      return 'approval_mismatch'
    const aCent = unitsAtRate === null ? 0n : unitsAtRate / BigInt(amountCents)
    const isUnusual =
      unitsAtRate === null ||
      unitsAtRate - units > (aCent > 1n ? aCent : 1n) ||
      (units - unitsAtRate) * 100n > unitsAtRate * TOLERANCE_PERCENT
    if (isSecond && first.units !== units) return 'approval_mismatch'
    const sum = amountCents + this.#decidedAlone('deposits', request.investor, operator)
    if (!isSecond && (first !== null || amountCents > request.askedCents || sum > LIMIT_CENTS || isUnusual))
      return 'second_operator_required'
    if (!isSecond) this.#recordAlone('deposits', request.investor, operator, amountCents)
    this.#countAsCreditors(request.investor, operator, ...(isSecond ? [first.operator] : []))
    this.#use(reference)
    const purse = this.#purse(request.investor)
    this.#come(purse, amountCents)
    purse.deposits += amountCents
    this.custody[request.asset] += units
    Object.assign(request, { status: 'approved', amountCents, units, reference })
    return null
  }

  approve(request: ModelRequest, operator: string, fixedUnits: bigint | null): Outcome {
    if (this.isFrozen(request.investor)) return 'account_frozen'
    if (request.status !== 'pending') return 'already_decided'
    if (this.#purse(request.investor).owed > 0) return 'debt_outstanding'
    Object.assign(request, { status: 'approved', approver: operator, fixedUnits })
    return null
  }

  complete(request: ModelRequest, operator: string, reference: string, units: bigint): Outcome {
    if (this.isFrozen(request.investor)) return 'account_frozen'
    if (request.status !== 'approved') return 'already_decided'
    if (this.#purse(request.investor).owed > 0) return 'debt_outstanding'
    if (this.references.includes(reference)) return 'reference_used'
    const isSecond = request.approver !== operator
    const sum = request.amountCents + this.#decidedAlone('withdrawals', request.investor, operator)
    const isOwn = this.#creditors.has(`${operator} ${request.investor}`)
    const { asset, fixedUnits } = request
    const isUnusual =
      asset !== 'usd' &&
      (fixedUnits === null || abs(units - fixedUnits) * 100n > fixedUnits * TOLERANCE_PERCENT)
    if (!isSecond && (sum > LIMIT_CENTS || isOwn || isUnusual)) return 'second_operator_required'
    if (!isSecond) this.#recordAlone('withdrawals', request.investor, operator, request.amountCents)
    this.#use(reference)
    const purse = this.#purse(request.investor)
    purse.held -= request.amountCents
    purse.withdrawals += request.amountCents
    this.transfers += 1
    this.custody[request.asset] -= units
    Object.assign(request, { status: 'completed', units, reference })
    return null
  }

  reject(request: ModelRequest): Outcome {
    const isOpen =
      request.status === 'pending' || (request.queue === 'withdrawals' && request.status === 'approved')
    if (!isOpen) return 'already_decided'
    this.#giveBack(request)
    request.status = 'rejected'
    return null
  }

  cancel(request: ModelRequest, investor: string): Outcome {
    if (request.investor !== investor) return 'not_found'
    if (request.status !== 'pending') return 'already_decided'
    this.#giveBack(request)
    request.status = 'cancelled'
    return null
  }

  proposeBonus(bonus: ModelBonus): Outcome {
    this.bonuses.push(bonus)
    return null
  }

  approveBonus(bonus: ModelBonus, operator: string): Outcome {
    if (bonus.isDecided) return 'already_decided'
    if (bonus.proposedBy === operator) return 'second_operator_required'
    if (this.isFrozen(bonus.investor)) return 'account_frozen'
    bonus.isDecided = true
    this.#countAsCreditors(bonus.investor, bonus.proposedBy, operator)
    const purse = this.#purse(bonus.investor)
    this.#come(purse, bonus.amountCents)
    purse.bonus += bonus.amountCents
    return null
  }

  /** `findDecider` null: a reversal without a proposal. */
  reverse(request: ModelRequest, proposedBy: string, decidedBy: string | null): Outcome {
    if (decidedBy === proposedBy) return 'second_operator_required'
    const isReversible = request.status === (request.queue === 'deposits' ? 'approved' : 'completed')
    if (!isReversible) return 'already_decided'
    if (decidedBy === null) return 'second_operator_required'
    const purse = this.#purse(request.investor)
    if (request.queue === 'deposits') {
      const lacking = Math.max(0, request.amountCents - purse.available)
      purse.available -= request.amountCents - lacking
      purse.owed += lacking
      purse.deposits -= request.amountCents
      this.transfers += lacking > 0 ? 2 : 1
      this.custody[request.asset] -= request.units
    } else {
      this.#countAsCreditors(request.investor, proposedBy, decidedBy)
      purse.withdrawals -= request.amountCents
      this.#come(purse, request.amountCents)
      this.custody[request.asset] += request.units
    }
    request.status = 'reversed'
    this.#free(request.reference)
    return null
  }

  /** The expected fields of `user-info`. */
  figures(investor: string): Figures {
    const { available, held, owed, deposits, withdrawals, bonus } = this.#purse(investor)
    let pendingDeposits = 0
    for (const request of this.requests) {
      if (request.investor === investor && request.queue === 'deposits' && request.status === 'pending')
        pendingDeposits += request.askedCents
    }
    return {
      available,
      undone: 0,
      held,
      allocating: 0,
      positions: 0,
      invested: 0,
      unrealised: 0,
      owed,
      deposits,
      withdrawals,
      bonus,
      profits: 0,
      pendingDeposits,
      pendingWithdrawals: held,
      totalBalance: deposits + bonus - withdrawals,
    }
  }

  #countAsCreditors(investor: string, ...operators: readonly string[]): void {
    for (const operator of operators) this.#creditors.add(`${operator} ${investor}`)
  }

  #use(reference: string): void {
    this.references.push(reference)
    const at = this.freed.indexOf(reference)
    if (at >= 0) this.freed.splice(at, 1)
  }

  #free(reference: string | null): void {
    if (reference === null) return
    this.references.splice(this.references.indexOf(reference), 1)
    this.freed.push(reference)
  }

  #purse(investor: string): Purse {
    const purse = this.#purses.get(investor)
    if (purse === undefined) throw new Error(`The model has no investor ${investor}`)
    return purse
  }

  #open(investor: string, queue: ModelRequest['queue']): number {
    return this.requests.filter(
      (each) =>
        each.investor === investor &&
        each.queue === queue &&
        (each.status === 'pending' || (queue === 'withdrawals' && each.status === 'approved')),
    ).length
  }

  #giveBack(request: ModelRequest): void {
    if (request.queue !== 'withdrawals') return
    const purse = this.#purse(request.investor)
    purse.held -= request.amountCents
    this.#come(purse, request.amountCents)
  }

  /** Every inflow repays a debt first. */
  #come(purse: Purse, amountCents: number): void {
    const repaid = Math.min(purse.owed, amountCents)
    purse.owed -= repaid
    purse.available += amountCents - repaid
    this.transfers += repaid > 0 ? 2 : 1
  }

  #decidedAlone(queue: Decision['queue'], investor: string, operator: string): number {
    this.#alone = this.#alone.filter(({ atMs }) => atMs > this.nowMs - DAY_MS)
    let sum = 0
    for (const each of this.#alone) {
      if (each.queue === queue && each.investor === investor && each.operator === operator)
        sum += each.amountCents
    }
    return sum
  }

  #recordAlone(queue: Decision['queue'], investor: string, operator: string, amountCents: number): void {
    this.#alone.push({ queue, investor, operator, amountCents, atMs: this.nowMs })
  }
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
