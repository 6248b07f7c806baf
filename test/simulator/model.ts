import { Broken } from './watch.ts'

/** A payment that was really made, as the network shows it. */
export interface Payment {
  readonly network: 'btc' | 'usdt-trc20'
  readonly reference: string
  readonly quantity: string
}

/** What was really paid to an investor, as the network or the bank shows it. */
export interface Payout {
  readonly reference: string
  readonly investor: string
  readonly cents: number
  /** Of the coin; null if the operator did not say it, and for a bank. */
  readonly quantity: string | null
}

/** What an investor's account must say. Whole cents. */
export interface Purse {
  /** Negative for a debt: what comes in repays it first. */
  available: number
  held: number
  deposits: number
  withdrawals: number
  /** Referral bonuses. */
  bonus: number
  /** Waiting to be invested, by order. */
  readonly allocating: Map<string, number>
}

export interface ModelRequest {
  investor: string
  /** As asked, and once credited, as credited. */
  cents: number
  status: 'pending' | 'approved' | 'completed' | 'rejected' | 'cancelled' | 'reversed'
  /** Who decided it last, and how. */
  decision: string | null
}

interface LeftSession {
  readonly token: string
  readonly what: string
  /** When it must not work any more. Epoch milliseconds. */
  readonly overAtMs: number
}

/** A copy of the part of the model that the platform has too. */
export interface Memory
  extends Pick<
    Model,
    | 'purses'
    | 'deposits'
    | 'withdrawals'
    | 'payouts'
    | 'firstApprovals'
    | 'codes'
    | 'invited'
    | 'settled'
    | 'known'
    | 'locked'
  > {
  readonly requests: Map<string, Map<string, ModelRequest>>
}

/**
 * The rules of money in plain TypeScript: what the accounts must hold after the requests that were accepted. It knows nothing
 * of the database.
 */
export class Model {
  readonly purses = new Map<string, Purse>()
  readonly deposits = new Map<string, ModelRequest>()
  readonly withdrawals = new Map<string, ModelRequest>()
  /** The session that filed each withdrawal. */
  readonly #filedWith = new Map<string, string>()
  /** Payments that arrived, by deposit. */
  readonly payments = new Map<string, Payment>()
  /** Dollars that a first operator approved, by deposit. */
  readonly firstApprovals = new Map<string, number>()
  /** Orders whose end was booked here. */
  readonly settled = new Set<string>()
  /** Ended orders that their investor has seen. */
  readonly known = new Set<string>()

  /** A session that an investor left or signed out of, by investor. */
  readonly leftOpen = new Map<string, LeftSession>()
  /** Referral IDs of open accounts, by address. */
  readonly codes = new Map<string, string>()
  /** The referral ID with which an account was opened, by its address. */
  readonly invited = new Map<string, string>()
  /** Investors who locked their accounts and asked to have the lock lifted. */
  readonly locked = new Set<string>()
  /** Withdrawals that their investors reported as filed by a thief, and when. Epoch milliseconds. */
  readonly reported = new Map<string, number>()
  /** What was paid and did not come back, by withdrawal. A restored backup does not undo it. */
  readonly payouts = new Map<string, Payout>()
  /** References of withdrawals that were paid before a backup was restored and are recorded again. */
  readonly paidBefore = new Map<string, string>()
  /** Payouts whose withdrawals are not in a restored backup and were not filed again yet. */
  readonly unbooked = new Set<Payout>()
  /** Accounts that operators froze until such a payout is filed again: ids by address. */
  readonly frozen = new Map<string, string>()
  /** When the newest backup was restored. Epoch milliseconds; 0 if none was. */
  restoredAtMs = 0
  /** The newest idempotency key that may be used by somebody else too. */
  lastKey: { readonly client: object; readonly key: string } | null = null
  #newest: [string, ModelRequest] | null = null
  readonly #requests = new Map<string, Map<string, ModelRequest>>()

  /** What the platform's books must say at this moment, as a copy. */
  remember(): Memory {
    const { purses, deposits, withdrawals, payouts, firstApprovals, codes, invited } = this
    const { settled, known, locked } = this
    const books = { purses, deposits, withdrawals, payouts, firstApprovals, codes, invited }
    return structuredClone({ ...books, settled, known, locked, requests: this.#requests })
  }

  /** Forgets what happened on the platform since then. What happened outside stays. */
  goBackTo(memory: Memory): void {
    const { requests, ...books } = structuredClone(memory)
    for (const name of ['purses', 'deposits', 'withdrawals', 'firstApprovals', 'codes', 'invited'] as const) {
      this[name].clear()
      for (const [key, value] of books[name]) (this[name] as Map<string, unknown>).set(key, value)
    }
    for (const name of ['settled', 'known', 'locked'] as const) {
      this[name].clear()
      for (const each of books[name]) this[name].add(each)
    }
    this.#requests.clear()
    for (const [key, value] of requests) this.#requests.set(key, value)
    this.#newest = null
  }

  purse(investor: string): Purse {
    const known = this.purses.get(investor)
    if (known !== undefined) return known
    const empty: Purse = {
      available: 0,
      held: 0,
      deposits: 0,
      withdrawals: 0,
      bonus: 0,
      allocating: new Map(),
    }
    this.purses.set(investor, empty)
    return empty
  }

  announced(id: string, investor: string, cents: number): void {
    this.#filed(this.deposits, id, investor, cents)
  }

  credited(id: string, cents: number, by: string): void {
    const deposit = found(this.deposits, id)
    decidedOnce(id, deposit, `approved by ${by}`)
    // A repeated answer books nothing.
    if (deposit.status === 'approved') return
    deposit.status = 'approved'
    deposit.cents = cents
    const purse = this.purse(deposit.investor)
    purse.available += cents
    purse.deposits += cents
  }

  closed(id: string, status: 'rejected' | 'cancelled', by = 'its investor'): void {
    const deposit = found(this.deposits, id)
    decidedOnce(id, deposit, `${status} by ${by}`)
    deposit.status = status
  }

  /** @param token of the session that filed it */
  held(id: string, investor: string, cents: number, token: string | null): void {
    if (this.withdrawals.has(id)) return
    this.#filedWith.set(id, sessionOf(token))
    this.#filed(this.withdrawals, id, investor, cents)
    const purse = this.purse(investor)
    purse.available -= cents
    purse.held += cents
  }

  /** An operator approved a withdrawal, which is not paid yet. */
  agreed(id: string): void {
    const withdrawal = found(this.withdrawals, id)
    if (withdrawal.status === 'pending') withdrawal.status = 'approved'
  }

  released(id: string, status: 'rejected' | 'cancelled', by = 'its investor'): void {
    const withdrawal = found(this.withdrawals, id)
    decidedOnce(id, withdrawal, `${status} by ${by}`)
    if (withdrawal.status === status) return
    withdrawal.status = status
    const reference = this.paidBefore.get(id)
    if (reference !== undefined && !this.payouts.has(id)) {
      // It was filed again for a payout that has to be on the books.
      this.paidBefore.delete(id)
      this.unbooked.add({ reference, investor: withdrawal.investor, cents: withdrawal.cents, quantity: null })
    }
    const purse = this.purse(withdrawal.investor)
    purse.held -= withdrawal.cents
    purse.available += withdrawal.cents
  }

  /**
   * Payouts of an investor were stopped: approvals are taken back and, if it `cancels`, pending withdrawals cancelled. What the
   * session `kept` filed goes on, or everything but what the session `ended` filed. Both are tokens.
   */
  stopped(
    investor: string,
    {
      cancels,
      kept = null,
      ended = null,
    }: { readonly cancels: boolean; readonly kept?: string | null; readonly ended?: string | null },
  ): void {
    for (const [id, request] of this.requestsOf(investor)) {
      if (!this.withdrawals.has(id)) continue
      const session = this.#filedWith.get(id) ?? ''
      if (kept !== null && session === sessionOf(kept)) continue
      if (ended !== null && session !== sessionOf(ended)) continue
      if (request.status === 'pending' && cancels) this.released(id, 'cancelled')
      else if (request.status === 'approved') request.status = 'pending'
    }
  }

  paid(id: string, by: string, { reference, quantity }: Pick<Payout, 'reference' | 'quantity'>): void {
    const withdrawal = found(this.withdrawals, id)
    decidedOnce(id, withdrawal, `completed by ${by}`)
    if (withdrawal.status === 'completed') return
    withdrawal.status = 'completed'
    const { investor, cents } = withdrawal
    this.payouts.set(id, { reference, investor, cents, quantity })
    const purse = this.purse(withdrawal.investor)
    purse.held -= withdrawal.cents
    purse.withdrawals += withdrawal.cents
  }

  /** Two operators reversed a credit or a payout. What was spent of a credit becomes a debt. */
  reversed(id: string): void {
    const deposit = this.deposits.get(id)
    const request = deposit ?? found(this.withdrawals, id)
    if (request.status === 'reversed') return
    request.status = 'reversed'
    this.payouts.delete(id)
    const purse = this.purse(request.investor)
    if (deposit === undefined) purse.withdrawals -= request.cents
    else purse.deposits -= request.cents
    purse.available += deposit === undefined ? request.cents : -request.cents
  }

  allocated(order: string, investor: string, cents: number): void {
    const purse = this.purse(investor)
    if (purse.allocating.has(order) || this.settled.has(order)) return
    purse.allocating.set(order, cents)
    purse.available -= cents
  }

  /** An investor has another e-mail address now. */
  moved(from: string, to: string): void {
    this.purses.set(to, this.purse(from))
    this.purses.delete(from)
    const own = this.#requests.get(from) ?? new Map<string, ModelRequest>()
    for (const request of own.values()) request.investor = to
    this.#requests.set(to, own)
    this.#requests.delete(from)
    this.leftOpen.delete(from)
    for (const each of [this.codes, this.invited]) {
      const code = each.get(from)
      each.delete(from)
      if (code !== undefined) each.set(to, code)
    }
  }

  /** The platform says how much an investor earned by inviting others, since the account was opened. */
  earned(investor: string, cents: number): void {
    const purse = this.purse(investor)
    purse.available += cents - purse.bonus
    purse.bonus = cents
  }

  /** All requests of an investor. */
  requestsOf(investor: string): ReadonlyMap<string, ModelRequest> {
    return this.#requests.get(investor) ?? new Map()
  }

  /** An investor's requests that wait, and their sum. */
  waitingOf(queue: 'deposits' | 'withdrawals', investor: string): { open: number; cents: number } {
    const open = [...this.requestsOf(investor)].flatMap(([id, each]) =>
      this[queue].has(id) &&
      (each.status === 'pending' || (each.status === 'approved' && queue === 'withdrawals'))
        ? [each]
        : [],
    )
    return { open: open.length, cents: open.reduce((sum, each) => sum + each.cents, 0) }
  }

  /** The newest request of somebody else, if there is one. */
  strangersOf(investor: string): readonly [string, ModelRequest][] {
    if (this.#newest === null || this.#newest[1].investor === investor) return []
    return [this.#newest]
  }

  #filed(queue: Map<string, ModelRequest>, id: string, investor: string, cents: number): void {
    const request: ModelRequest = { investor, cents, status: 'pending', decision: null }
    queue.set(id, request)
    const own = this.#requests.get(investor) ?? new Map<string, ModelRequest>()
    this.#requests.set(investor, own.set(id, request))
    this.#newest = [id, request]
  }

  /** An order ended: `givenBack` of a cancelled allocation, `proceeds` of a redemption. Cents. */
  ended(order: string, investor: string, { givenBack = 0, proceeds = 0 }): void {
    if (this.settled.has(order)) return
    this.settled.add(order)
    const purse = this.purse(investor)
    purse.allocating.delete(order)
    purse.available += givenBack + proceeds
  }
}

/** Of two operators who decide at once, one is told that it counts. The same operator may be told again. */
function decidedOnce(id: string, request: ModelRequest, decision: string): void {
  if (request.decision !== null && request.decision !== decision)
    throw new Broken('oneDecisionCounts', `${id} was ${request.decision}, and ${decision}`)
  request.decision = decision
}

function found<T>(from: ReadonlyMap<string, T>, id: string): T {
  const value = from.get(id)
  if (value === undefined) throw new Error(`The model does not know ${id}`)
  return value
}

/** The id of the session that a bearer token names. */
export function sessionOf(token: string | null): string {
  return token?.split('.')[0] ?? ''
}
