import type { OrderKind } from '../../../contract/investing/allocations.ts'
import { COIN_LABELS, NETWORK_LABELS, NETWORKS } from '../../../contract/money/coins.ts'
import { KIND_LABELS, type Transaction, type TrxType } from '../../../contract/money/transactions.ts'

/** With orders in strategies and bonuses. */
export const HISTORY_LABELS: Record<TrxType | OrderKind | 'bonus', string> = {
  ...KIND_LABELS,
  allocate: 'Investment',
  redeem: 'Redemption',
  bonus: 'Bonus',
}

/** `USDT, TRON (TRC-20)`, or `First Bank ••••1234`. */
export function describeRoute({ type, network, bankName, accountNumber }: Transaction): string {
  if (bankName !== undefined) return [bankName, accountNumber].filter(Boolean).join(' ')
  const coin = getCoinLabel(type)
  const on = getNetworkLabel(network)
  return [coin, on === coin ? undefined : on].filter(Boolean).join(', ')
}

/** The coin's name. Unknown coins stay unchanged. */
export function getCoinLabel(type: string | undefined): string | undefined {
  return type !== undefined && Object.hasOwn(COIN_LABELS, type)
    ? COIN_LABELS[type as keyof typeof COIN_LABELS]
    : type
}

/** The network's name. Unknown networks stay unchanged. */
export function getNetworkLabel(network: string | undefined): string | undefined {
  const listed = NETWORKS.find((candidate) => candidate === network)
  return listed === undefined ? network : NETWORK_LABELS[listed]
}

/** Whether something still happens to it. An approved deposit is credited. */
export function isOpenRequest({ status, trxType }: Pick<Transaction, 'status' | 'trxType'>): boolean {
  return status === 'pending' || (status === 'approved' && trxType !== 'deposit')
}

/** Replaces the status of a deposit that nobody but its owner can move on. */
export function getStatusLabel({ awaitsPayment }: Pick<Transaction, 'awaitsPayment'>): string | undefined {
  return awaitsPayment ? 'Awaits your payment' : undefined
}

/** What comes next for a deposit or withdrawal; null if it has ended. `nowMs` is in epoch milliseconds. */
export function describeNextStep(transaction: Transaction, nowMs: number): string | null {
  if (!isOpenRequest(transaction)) return null
  const { status, trxType, heldUntil, awaitsPayment } = transaction
  if (awaitsPayment) return 'Next: you pay. We see the payment within a minute.'
  if (trxType === 'deposit') return 'Next: we check your payment and credit it.'
  const isHeld = heldUntil !== undefined && Date.parse(heldUntil) > nowMs
  if (status === 'approved') return isHeld ? 'Next: we pay it once its hold has ended.' : 'Next: we pay it.'
  return isHeld
    ? 'Next: we review it. Once it is approved and its hold has ended, we pay it.'
    : 'Next: we review it. Once it is approved, we pay it.'
}

/** Whole amounts have no cents: `0 USD`. */
export function formatFee(fee: number): string {
  return `${Number.isInteger(fee) ? fee : fee.toFixed(2)} USD`
}

export function toCapitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export function toLowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
