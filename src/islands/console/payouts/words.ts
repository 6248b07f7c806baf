import { CHAIN_LABELS } from '../../../contract/console/coinWords.ts'
import { PAYOUT_STATES } from '../../../contract/console/payoutStates.ts'
import type { OperatorPayout, PayoutFees, PayoutRow } from '../../../contract/console/payouts.ts'
import type { OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import { CHAIN_NETWORKS, type Chain, isProvedNetwork } from '../../../contract/money/payments.ts'
import { formatUsd } from '../../../contract/money.ts'
import type { StatusProps } from '../../../design/Status.tsx'

const STATUS: Record<PayoutRow['state'], StatusProps> = {
  built: { status: 'pending', label: 'To be signed' },
  released: { status: 'approved', label: 'Sent' },
  confirmed: { status: 'completed', label: 'Confirmed' },
  cancelled: { status: 'cancelled' },
  failed: { status: 'rejected', label: 'Failed' },
  replaced: { status: 'rejected', label: 'Replaced' },
}

export const FILTERS = [
  { value: '', label: 'All' },
  ...PAYOUT_STATES.map((value) => ({
    value,
    label: STATUS[value].label ?? 'Cancelled',
    query: { state: value },
  })),
] as const

/** A payout with a problem looks like one in every list. */
export function describePayoutStatus({ state, problem }: Pick<PayoutRow, 'state' | 'problem'>): StatusProps {
  return problem !== null && state !== 'failed' ? { status: 'rejected', label: 'Look at it' } : STATUS[state]
}

/** The coin that pays the fee. */
const FEE_SYMBOLS: Record<Chain, string> = { bitcoin: 'BTC', ethereum: 'ETH' }

/** "0.00001200 BTC", or the most that it can be on Ethereum. */
export function formatNetworkFee({ chain, fee }: Pick<PayoutRow, 'chain' | 'fee'>): string {
  return `${chain === 'ethereum' ? 'At most ' : ''}${fee} ${FEE_SYMBOLS[chain]}`
}

/** The action that the second factor confirms: "Send $500.00 on Bitcoin, for 2 withdrawals". */
export function releaseWords({
  chain,
  amount,
  items,
}: Pick<OperatorPayout, 'chain' | 'amount' | 'items'>): string {
  const paid = items.length === 1 ? (items[0]?.ref ?? 'one withdrawal') : `${items.length} withdrawals`
  return `Send ${formatUsd(amount)} on ${CHAIN_LABELS[chain]}, for ${paid}`
}

/** Whether a payout on this chain can pay the withdrawal. */
export function isPaidOn(chain: Chain, { network }: Pick<OperatorWithdrawal, 'network'>): boolean {
  return network !== null && isProvedNetwork(network) && CHAIN_NETWORKS[network].chain === chain
}

/** A Bitcoin transaction with one coin of the wallet and change, in virtual bytes: its frame, the coin, and the outputs. */
const FRAME_VBYTES = 11
const COIN_VBYTES = 68
const OUTPUT_VBYTES = 31
const SATOSHI = 100_000_000
/** Gas of a transfer: exact for ether, approximate for a token. */
const ETHER_GAS = 21_000
const TOKEN_GAS = 65_000
const GWEI = 1_000_000_000

/** Estimates the network fee. The exact fee depends on the size of the transaction, which is known once it is built. */
export function describeFeeEstimate(
  { chain, unit }: Pick<PayoutFees, 'chain' | 'unit'>,
  fee: number,
  chosen: readonly Pick<OperatorWithdrawal, 'network'>[],
): string {
  const most = Math.max(chosen.length, 1)
  const cost =
    chain === 'bitcoin'
      ? ((FRAME_VBYTES + COIN_VBYTES + OUTPUT_VBYTES * (most + 1)) * fee) / SATOSHI
      : ((chosen.some(({ network }) => network !== 'eth') ? TOKEN_GAS : ETHER_GAS) * fee) / GWEI
  return `${fee} ${unit}, about ${cost.toFixed(8)} ${FEE_SYMBOLS[chain]}`
}

/** "10 minutes", "2 hours". */
export function waitWords(minutes: number): string {
  if (minutes < 1) return 'within a minute'
  if (minutes < 90)
    return `in about ${Math.round(minutes)} ${Math.round(minutes) === 1 ? 'minute' : 'minutes'}`
  return `in about ${Math.round(minutes / 60)} hours`
}

export const SPEED_LABELS: Record<PayoutFees['choices'][number]['speed'], string> = {
  slow: 'Slow',
  normal: 'Normal',
  fast: 'Fast',
}
