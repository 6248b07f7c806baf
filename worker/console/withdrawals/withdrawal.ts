import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type { CaseStep, SecondOperatorReason } from '../../../src/contract/console/cases.ts'
import {
  type BankDetails,
  bankDetails,
  FEE_COINS,
  type getWithdrawal,
  type OperatorWithdrawal,
} from '../../../src/contract/console/withdrawals.ts'
import { BANK_IDENTITY } from '../../../src/contract/money/withdrawals.ts'
import { toUsd } from '../../../src/contract/money.ts'
import {
  readPaidByChain,
  readWithdrawalPayout,
  toPayoutFigures,
} from '../../chains/payouts/withdrawalPayout.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { parseSteps, selectHistory } from '../../http/steps.ts'
import { type Asset, computeQuantity, formatQuantity, parseUnits } from '../../ledger/custody.ts'
import { readPause } from '../../ledger/payoutPause.ts'
import type { FixedPrice } from '../../ledger/requestEvents.ts'
import { aliasIndexed, parseStored, type RowOf, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { findRate, type MarketRow, readRates } from '../../lib/market/rates.ts'
import { requestEvents, requests, withdrawalDetails } from '../../lib/tables/requests.ts'
import { readPlanOfWithdrawal } from '../../money/requests/history.ts'
import { readAddressProofLimit } from '../../money/requests/limits.ts'
import { normalizeBankField } from '../../money/withdrawals/destination.ts'
import { selectProvedAt } from '../../money/withdrawals/ownerProofs.ts'
import { deriveSoloAllowance, readAlone } from '../cases/alone.ts'
import {
  findEvent,
  findReason,
  REQUEST_FIELDS,
  r,
  readRequests,
  selectQueueRequest,
  toInvestor,
  toRequestSteps,
  u,
  type WithEvents,
} from '../cases/requests.ts'
import { parseScreening } from '../cases/screening.ts'
import { parseWork } from '../cases/workState.ts'
import { selectBooks } from '../proposals/compareStatements.ts'
import { readRiskFacts } from '../risk/facts.ts'
import { deriveRisk } from '../risk/rules.ts'
import { describePause } from '../treasury/pause.ts'

export type Withdrawal = WithEvents<RowOf<typeof readWithdrawals>>

/** Withdrawals by a query of ids, newest first. */
export function readWithdrawals(ids: SQL) {
  const d = alias(withdrawalDetails, 'd')
  const [a, c] = [alias(requestEvents, 'a'), alias(requestEvents, 'c')]
  return selectRows({
    ...REQUEST_FIELDS,
    coin: d.coin,
    network: d.network,
    address: d.address,
    bank: d.bank,
    proof: d.proof,
    /** JSON: why a proof was requested. */
    reasons: d.reasons,
    heldUntil: d.heldUntil,
    ownerProvedAt: selectProvedAt(sql`r.investor`, sql`d.destination_hash`),
    /** The quantity paid, in the coin. */
    quantity: d.quantity,
    /** The quantity of a payout by hand, in the coin's smallest unit, as text. Null for a payout on a chain, which has its own price. */
    sentUnits: sql<string | null>`CAST(c.units AS TEXT)`,
    /** The network's fee of a payout by hand, in the smallest unit of the network's own coin, as text. */
    feeUnits: sql<string | null>`CAST(c.fee AS TEXT)`,
    /** USD for one coin, and the quantity that the amount buys at it in the coin's smallest unit, as fixed by the approval. */
    fixedRate: a.rate,
    fixedUnits: sql<string | null>`CAST(a.units_at_rate AS TEXT)`,
    /** Who built and released the payout that the chain confirmed. */
    payoutSteps: sql<string | null>`(
      SELECT ${selectHistory(
        { step: 'built', at: sql`o.built_at`, by: sql`o.built_by` },
        { step: 'released', at: sql`o.released_at`, by: sql`o.released_by` },
      )}
      FROM payout_items oi JOIN payouts o ON o.id = oi.payout AND o.state = 'confirmed'
      WHERE oi.request = r.id)`,
  })
    .from(r)
    .innerJoin(u, eq(u.id, r.investor))
    .innerJoin(d, eq(d.request, r.id))
    .leftJoin(a, sql`a.request = r.id AND a.status = 'approved'`)
    .leftJoin(c, sql`c.request = r.id AND c.status = 'completed'`)
    .where(sql`r.id IN (${ids})`)
    .orderBy(desc(r.createdAt), desc(r.seq))
}

/** Loads a withdrawal with its risk and the operator's limits, in one round trip. */
export async function loadWithdrawalCase(call: ActorCall) {
  const { db, actor, nowMs, params } = call
  const id = params.id ?? ''
  const [
    [withdrawal],
    [risk],
    [alone],
    [lastPaid = null],
    [payer],
    [payout = null],
    market,
    [pause],
    [proof],
    [filed],
    [paidFrom],
  ] = await readRequests(
    db,
    readWithdrawals,
    selectQueueRequest('withdrawals', id),
    readRiskFacts('withdrawals', sql`${id}`, call),
    readAlone('withdrawals', id, actor.id, nowMs),
    readLastPaid(id),
    readPaidByChain(call.env, id),
    readWithdrawalPayout(sql`${id}`),
    readRates(db),
    readPause(),
    readAddressProofLimit(sql`(SELECT investor FROM requests WHERE id = ${id})`),
    readPlanOfWithdrawal(sql`${id}`),
    readPaidFrom(id, nowMs),
  )
  if (withdrawal === undefined || risk === undefined || alone === undefined) return refuse('not_found')
  const isFixed = withdrawal.status !== 'pending'
  const toSend = isFixed ? getFixedPrice(withdrawal) : priceNow(withdrawal, market, call)
  const paidByChain = payer?.paidByChain === 1
  const reasons: SecondOperatorReason[] = []
  if (withdrawal.coin !== null && toSend === null) reasons.push('no_price')
  if (!paidByChain && payer?.lacksServers === 1) reasons.push('no_servers')
  // Another operator pays a withdrawal that was approved despite a high risk, even if the risk is lower now.
  if (deriveRisk('withdrawals', risk).level === 'high' || parseSteps(withdrawal.accepted).length > 0)
    reasons.push('risk')
  return {
    withdrawal,
    risk,
    alone: deriveSoloAllowance(alone, withdrawal.amount, reasons),
    lastPaid,
    paidByChain,
    payout,
    toSend,
    pause: describePause(pause),
    lacksAddressProofAbove: proof?.cents == null ? null : toUsd(proof.cents),
    isOfPlan: filed !== undefined,
    paidFrom,
  }
}

export async function showWithdrawal(
  call: CallOf<typeof getWithdrawal>,
  found: Awaited<ReturnType<typeof loadWithdrawalCase>>,
) {
  const { withdrawal, risk, alone, lastPaid, paidByChain, payout, toSend } = found
  const { pause, lacksAddressProofAbove, isOfPlan, paidFrom } = found
  const isOpen = risk.isOpen === 1
  return ok({
    ...toWithdrawalRow(withdrawal, call),
    ...(withdrawal.bank !== null && { lastPaid: compareWithLastPaid(lastPaid, withdrawal.bank) }),
    documentName: risk.documentName,
    ...(isOfPlan && { isOfPlan: true as const }),
    risk: deriveRisk('withdrawals', risk),
    ...(isOpen && { alone, payoutPause: pause, lacksAddressProofAbove }),
    ...(isOpen &&
      !paidByChain &&
      paidFrom !== undefined && { paidFrom: describePaidFrom(withdrawal, paidFrom, toSend) }),
    ...(withdrawal.coin !== null && {
      paidByChain,
      ...(isOpen && !paidByChain && { toSend: describeQuantityToSend(withdrawal, toSend) }),
      payout: payout === null ? null : { _id: payout.id, state: payout.state, ...toPayoutFigures(payout) },
    }),
  })
}

/** An approval fixes these now: the market price, and the units that the amount buys at it. Null for a bank and without a price. */
export function priceNow(
  { coin, amount }: Withdrawal,
  market: readonly MarketRow[],
  call: Pick<ActorCall, 'env' | 'nowMs'>,
): FixedPrice | null {
  const rate = coin === null ? null : findRate(market, coin, call)
  if (coin === null || rate === null) return null
  // A cent may be less than the smallest unit of an expensive coin.
  const units = parseUnits(coin, computeQuantity(coin, amount, rate))
  return units === null ? null : { rate, units }
}

/** The price that the approval fixed; null before it, and if there was none. */
export function getFixedPrice({ fixedRate, fixedUnits }: Withdrawal): FixedPrice | null {
  return fixedRate === null || fixedUnits === null ? null : { rate: fixedRate, units: BigInt(fixedUnits) }
}

/** Whether a quantity differs by more than 2 % from that of the approval. The trigger `request_events_sent` has the same rule. */
export function isFarOff(units: bigint, { units: fixed }: FixedPrice): boolean {
  const off = units < fixed ? fixed - units : units - fixed
  return off * 50n > fixed
}

function describeSent(withdrawal: Withdrawal): OperatorWithdrawal['sent'] {
  const { coin, quantity, sentUnits } = withdrawal
  if (coin === null || quantity === null) return null
  const price = getFixedPrice(withdrawal)
  const isOff = price !== null && sentUnits !== null && isFarOff(BigInt(sentUnits), price)
  return {
    quantity,
    fee: formatNetworkFee(withdrawal),
    ...(isOff && { expected: formatQuantity(coin, price.units) }),
  }
}

function describeQuantityToSend(
  { coin }: Withdrawal,
  price: FixedPrice | null,
): OperatorWithdrawal['toSend'] {
  return coin === null || price === null
    ? null
    : { quantity: formatQuantity(coin, price.units), rate: price.rate }
}

/** The place from which a withdrawal is paid by hand, with its books at a time. */
function readPaidFrom(id: string, nowMs: number) {
  const d = alias(withdrawalDetails, 'd')
  return selectRows({
    place: sql<string>`l.name`,
    asset: sql<Asset>`l.asset`,
    units: sql<string>`CAST(${selectBooks(sql`l.id`, sql`${nowMs}`)} AS TEXT)`,
  })
    .from(d)
    .leftJoin(sql`custody_networks n`, sql`n.network = d.network`)
    .innerJoin(sql`custody_places l`, sql`l.id = iif(d.network IS NULL, 'usd:bank', n.place)`)
    .where(eq(d.request, id))
}

function describePaidFrom(
  { coin, amount }: Withdrawal,
  { place, asset, units }: RowOf<typeof readPaidFrom>,
  price: FixedPrice | null,
): NonNullable<OperatorWithdrawal['paidFrom']> {
  const needed = coin === null ? BigInt(amount) : (price?.units ?? 0n)
  return { place, quantity: formatQuantity(asset, BigInt(units)), isShort: BigInt(units) < needed }
}

/** The network's fee in its own coin; null if none was booked. */
export function formatNetworkFee({ network, feeUnits }: Withdrawal): string | null {
  const coin = network === null ? undefined : FEE_COINS[network]
  return coin === undefined || feeUnits === null ? null : formatQuantity(coin, BigInt(feeUnits))
}

export function toWithdrawalRow(withdrawal: Withdrawal, call: Pick<ActorCall, 'nowMs'>): OperatorWithdrawal {
  const { events, kind } = withdrawal
  const paid = findEvent(events, 'completed')
  return {
    _id: withdrawal.id,
    ref: withdrawal.ref,
    investor: toInvestor(withdrawal),
    status: withdrawal.status,
    createdAt: toIso(withdrawal.createdAt),
    amount: toUsd(withdrawal.amount),
    trxType: kind,
    type: withdrawal.coin,
    network: withdrawal.network,
    address: withdrawal.address,
    bank: parseBank(withdrawal),
    proof: withdrawal.proof,
    reasons: parseReasons(withdrawal),
    heldUntil: toIsoOrNull(withdrawal.heldUntil),
    ...(withdrawal.ownerProvedAt !== null && { ownerProvedAt: toIso(withdrawal.ownerProvedAt) }),
    steps: toWithdrawalSteps(withdrawal),
    reference: paid?.reference ?? null,
    sent: describeSent(withdrawal),
    reason: findReason(events),
    ...parseWork(withdrawal, call),
    screening: parseScreening(withdrawal),
  }
}

/** With who built and released the payout that paid it, if the chain completed it. */
export function toWithdrawalSteps(withdrawal: Withdrawal): CaseStep[] {
  const steps = toRequestSteps(withdrawal)
  const paid = steps.findIndex(({ step }) => step === 'paid')
  return paid < 0 ? steps : steps.toSpliced(paid, 0, ...parseSteps(withdrawal.payoutSteps))
}

const storedBank = z.extend(bankDetails, { country: z.optional(z.string()) })

export function parseBank({ bank: json }: Pick<Withdrawal, 'bank'>): BankDetails | null {
  if (json === null) return null
  const bank = parseStored(storedBank, json)
  return { ...bank, country: bank.country ?? null }
}

export function parseReasons({ reasons }: Pick<Withdrawal, 'reasons'>): string[] {
  return parseStored(z.array(z.string()), reasons)
}

/** The investor's newest bank withdrawal that was requested before this one and paid. */
function readLastPaid(id: string) {
  const p = aliasIndexed(requests, 'p', 'requests_history_by_both')
  const [e, d] = [alias(requestEvents, 'e'), alias(withdrawalDetails, 'd')]
  // A bank withdrawal has its bank.
  return selectRows({ ref: sql<string>`p.ref`, at: e.at, bank: sql<string>`d.bank` })
    .from(r)
    .innerJoin(
      p,
      sql`p.investor = r.investor AND p.kind = r.kind AND p.status = 'completed' AND p.created_at <= r.created_at`,
    )
    .innerJoin(e, sql`e.request = p.id AND e.status = 'completed'`)
    .innerJoin(d, sql`d.request = p.id`)
    .where(sql`r.id = ${id} AND r.kind = 'online-service-withdrawal' AND +p.seq < r.seq`)
    .orderBy(sql`p.created_at DESC, p.seq DESC`)
    .limit(1)
}

/** The destination fields that differ from the last paid bank withdrawal; null if there is none. */
function compareWithLastPaid(
  paid: RowOf<typeof readLastPaid> | null,
  bank: string,
): NonNullable<OperatorWithdrawal['lastPaid']> | null {
  if (paid === null) return null
  const [before, now] = [parseStored(storedBank, paid.bank), parseStored(storedBank, bank)]
  const changed = BANK_IDENTITY.filter(
    (field) => normalizeBankField(field, before[field] ?? '') !== normalizeBankField(field, now[field] ?? ''),
  )
  return { ref: paid.ref, at: toIso(paid.at), changed }
}
