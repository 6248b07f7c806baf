import { eq } from 'drizzle-orm'
import { openBooks } from '../../../worker/ledger/accounts.ts'
import { type Asset, parseUnits } from '../../../worker/ledger/custody.ts'
import { hold } from '../../../worker/ledger/post.ts'
import type { Database, Statement } from '../../../worker/lib/database.ts'
import { proposals, settings } from '../../../worker/lib/tables/operators.ts'
import { users } from '../../../worker/lib/tables/people.ts'
import { depositDetails, requests, withdrawalDetails } from '../../../worker/lib/tables/requests.ts'

/** A request to file, as the ledger sees it. All texts are invented. */
export interface Filing {
  readonly id: string
  readonly investor: string
  readonly amountCents: number
  readonly atMs: number
}

/** A person with this id, and an investor's books. */
export function person(db: Database, id: string, role: 'investor' | 'operator'): Statement[] {
  const row = db.insert(users).values({
    id,
    role,
    operatorRoles: role === 'operator' ? 'reviewer treasurer administrator auditor' : '',
    email: `${id}@example.com`,
    fullname: id,
    displayName: id,
    phone: '+41791234567',
    country: 'Switzerland',
    passwordHash: '-',
    createdAt: 0,
    referralCode: id,
  })
  return role === 'investor' ? [row, openBooks(db, id)] : [row]
}

function findNetwork(coin: Exclude<Asset, 'usd'>) {
  return coin === 'bitcoin' ? 'btc' : coin === 'ethereum' ? 'eth' : 'usdt-trc20'
}

/** Files a deposit of a coin. */
export function fileDeposit(db: Database, filing: Filing, coin: Exclude<Asset, 'usd'> = 'usdt'): Statement[] {
  return [
    file(db, filing, 'deposit'),
    db.insert(depositDetails).values({
      askedRate: '1000000000000',
      request: filing.id,
      coin,
      network: findNetwork(coin),
      paymentTo: 'wallet',
      receiptKey: `receipts/${filing.id}`,
      receiptType: 'image/png',
    }),
  ]
}

/** Files a withdrawal and holds its amount. `usd` goes to a bank. */
export function fileWithdrawal(db: Database, filing: Filing, asset: Asset = 'usdt'): Statement[] {
  return [
    file(db, filing, asset === 'usd' ? 'online-service-withdrawal' : 'withdrawal'),
    db.insert(withdrawalDetails).values({
      request: filing.id,
      ...(asset === 'usd'
        ? { bank: '{}' }
        : { coin: asset, network: findNetwork(asset), address: 'destination' }),
      destinationHash: 'destination',
      sessionId: 'session',
      proof: 'totp',
    }),
    hold(db, filing, { actor: filing.investor, nowMs: filing.atMs }),
  ]
}

/** Proposes a bonus, or the reversal of a request. */
export function propose(
  db: Database,
  proposal: { id: string; proposedBy: string; atMs: number } & (
    | { investor: string; amountCents: number }
    | { request: string }
  ),
): Statement {
  return db.insert(proposals).values({
    id: proposal.id,
    proposedBy: proposal.proposedBy,
    createdAt: proposal.atMs,
    reason: 'A test',
    ...('request' in proposal
      ? { kind: 'reversal', request: proposal.request }
      : { kind: 'bonus', investor: proposal.investor, amount: proposal.amountCents }),
  })
}

/** Raises the daily ceilings by a decision of two operators, for tests of something else that move a lot. */
export function liftCeilings(db: Database, first: string, second: string): Statement[] {
  const id = 'no-ceilings'
  const most = 9_000_000_000_000_000
  const value = { creditsAlone: most, payoutsAlone: most, credits: most, payouts: most }
  return [
    db.insert(proposals).values({
      id,
      kind: 'settings',
      proposedBy: first,
      createdAt: 0,
      payload: JSON.stringify({ dailyCeilings: value }),
    }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: second, decidedAt: 0 })
      .where(eq(proposals.id, id)),
    db
      .insert(settings)
      .values({ key: 'dailyCeilings', value: JSON.stringify(value), proposal: id, updatedAt: 0 }),
  ]
}

/** Units of an asset. Throws if there are none. */
export function someUnits(asset: Asset, quantity: string): bigint {
  const units = parseUnits(asset, quantity)
  if (units === null) throw new Error(`${quantity} is no quantity of ${asset}`)
  return units
}

function file(db: Database, filing: Filing, kind: (typeof requests.$inferInsert)['kind']): Statement {
  return db.insert(requests).values({
    id: filing.id,
    ref: `REF-${filing.id}`,
    investor: filing.investor,
    kind,
    queue: kind === 'deposit' ? 'deposits' : 'withdrawals',
    amount: filing.amountCents,
    asked: filing.amountCents,
    createdAt: filing.atMs,
  })
}
