import { ChainError } from '../chainError.ts'
import { decodeAddress, encodeAddress } from './addresses.ts'
import { deriveChangeScript, deriveOutput } from './derive.ts'
import type { BitcoinDescriptor } from './descriptor.ts'
import { computeDustLimit, computeInputVirtualSize, computePayoutVirtualSize } from './payoutSize.ts'
import {
  buildUnsignedTransaction,
  type Coin,
  encodePsbt,
  PAYOUT_VERSION,
  type PayoutContents,
  type PayoutOutput,
  type Psbt,
  REPLACEABLE_SEQUENCE,
} from './psbt.ts'
import {
  type BitcoinTransaction,
  MAXIMUM_VALUE,
  parseTransaction,
  serializeTransaction,
} from './transaction.ts'

export interface Payment {
  address: string
  /** Satoshi. */
  value: bigint
}

export interface PayoutRequest {
  descriptor: BitcoinDescriptor
  /** The coins that may be spent. Not all of them will be. */
  coins: readonly Coin[]
  /** Those that must be spent. `coins` has none of them. */
  required?: readonly Coin[]
  payments: readonly Payment[]
  /** The index of the change address: an unused one. */
  changeIndex: number
  /** Satoshi per virtual byte. */
  feeRate: number
  /** Refuses a higher fee (satoshi). */
  maximumFee: bigint
}

/** A transaction that waits for signatures. */
export interface UnsignedPayout extends PayoutContents {
  /** Signing does not change it: signatures stand in witnesses. */
  txid: string
  /** Satoshi. */
  fee: bigint
  /** At most so many virtual bytes once it is signed. */
  virtualSize: number
  psbt: Psbt
}

/**
 * Chooses coins, largest first, and writes one unsigned transaction that makes all payments and returns the rest to the descriptor.
 * The same request gives the same transaction. Change that would be dust goes to the fee.
 */
export function buildPayout(request: PayoutRequest): UnsignedPayout {
  checkFeeRate(request.feeRate)
  const { descriptor, coins, required = [] } = request
  checkCoins(descriptor, [...required, ...coins])
  if (request.payments.length === 0) throw new ChainError('no_payments', 'There is nothing to pay.')
  return createPayout(request, required, (size) => computeFee(size, request.feeRate))
}

/**
 * Replaces a payout that does not confirm (BIP-125): the same payments, all its inputs, a higher fee. The fee comes from the change,
 * then from `coins`, which must be confirmed. Both payouts cannot confirm, because they spend the same coins.
 */
export function replacePayout(
  previous: UnsignedPayout,
  { feeRate, maximumFee, coins = [] }: { feeRate: number; maximumFee: bigint; coins?: readonly Coin[] },
): UnsignedPayout {
  checkFeeRate(feeRate)
  const { descriptor, inputs, changeIndex } = previous
  checkCoins(descriptor, [...inputs, ...coins])
  const payments = previous.outputs.filter(({ kind }) => kind === 'payment')
  const replacement = createPayout(
    { descriptor, coins, payments, changeIndex, feeRate, maximumFee },
    inputs,
    // Nodes want to be paid for relaying the replacement, on top of the fee that they lose.
    (size) => pickLarger(computeFee(size, feeRate), previous.fee + computeFee(size, RELAY_FEE_RATE)),
  )
  if (replacement.fee * BigInt(previous.virtualSize) <= previous.fee * BigInt(replacement.virtualSize)) {
    const rate = Number(previous.fee) / previous.virtualSize
    const needed = Math.ceil((rate + RELAY_FEE_RATE) * 100) / 100
    throw new ChainError(
      'fee_too_low',
      `A replacement of this payout needs at least ${needed} satoshi per virtual byte.`,
    )
  }
  return replacement
}

/** The transaction of a payout without signatures. */
export function toTransaction({
  inputs,
  outputs,
}: Pick<UnsignedPayout, 'inputs' | 'outputs'>): BitcoinTransaction {
  return {
    version: PAYOUT_VERSION,
    lockTime: 0,
    inputs: inputs.map(({ txid, vout }) => ({
      txid,
      vout,
      script: '',
      sequence: REPLACEABLE_SEQUENCE,
      witness: [],
    })),
    outputs: outputs.map(({ script, value }) => ({ script, value })),
  }
}

/** Satoshi per virtual byte. Nodes relay no transaction below this rate, and a replacement must pay this much more. */
const RELAY_FEE_RATE = 1
/** Nodes relay no larger transaction. */
const MAXIMUM_VIRTUAL_SIZE = 100_000

type FeeRule = (virtualSize: number) => bigint

function createPayout(request: PayoutRequest, required: readonly Coin[], feeOf: FeeRule): UnsignedPayout {
  const { descriptor, changeIndex } = request
  const payments = request.payments.map((payment) => createPaymentOutput(payment, descriptor))
  const script = deriveChangeScript(descriptor, changeIndex)
  const change = {
    kind: 'change' as const,
    address: encodeAddress(script, descriptor.network) ?? '',
    script,
    value: 0n,
  }
  const { chosen, fee, changeValue } = pickCoins(request, required, payments, change, feeOf)
  if (fee > request.maximumFee) {
    throw new ChainError(
      'fee_too_high',
      `The fee would be ${fee} satoshi. At most ${request.maximumFee} are allowed.`,
    )
  }
  const outputs = changeValue === null ? payments : [...payments, { ...change, value: changeValue }]
  const inputs = chosen.toSorted(compareByOutpoint)
  const virtualSize = computePayoutVirtualSize(
    descriptor,
    inputs.length,
    outputs.map((output) => output.script),
  )
  if (virtualSize > MAXIMUM_VIRTUAL_SIZE) {
    throw new ChainError(
      'too_large',
      'The transaction is too large to be relayed. Please pay fewer withdrawals at once.',
    )
  }
  const contents = { descriptor, inputs, outputs, changeIndex }
  const { txid } = parseTransaction(serializeTransaction(toTransaction({ inputs, outputs })))
  return {
    ...contents,
    txid,
    fee,
    virtualSize,
    psbt: encodePsbt(buildUnsignedTransaction(contents), descriptor),
  }
}

function pickCoins(
  { descriptor, coins, feeRate }: PayoutRequest,
  required: readonly Coin[],
  payments: readonly PayoutOutput[],
  change: PayoutOutput,
  feeOf: FeeRule,
): { chosen: Coin[]; fee: bigint; changeValue: bigint | null } {
  const scripts = payments.map(({ script }) => script)
  const paid = sum(payments)
  const worthwhile = computeFee(computeInputVirtualSize(descriptor), feeRate)
  const more = coins.filter(({ value }) => value > worthwhile).toSorted(compareByValue)
  const chosen = [...required]
  for (;;) {
    const rest = sum(chosen) - paid
    const leastFee = feeOf(computePayoutVirtualSize(descriptor, chosen.length, scripts))
    const changeValue =
      rest - feeOf(computePayoutVirtualSize(descriptor, chosen.length, [...scripts, change.script]))
    if (chosen.length > 0 && changeValue >= computeDustLimit(change.script))
      return { chosen, fee: rest - changeValue, changeValue }
    if (chosen.length > 0 && rest >= leastFee) return { chosen, fee: rest, changeValue: null }
    const next = more.shift()
    if (next === undefined) {
      throw new ChainError(
        'insufficient_coins',
        `The coins are worth ${sum(chosen)} satoshi. With the fee, ${paid + leastFee} are needed.`,
      )
    }
    chosen.push(next)
  }
}

function createPaymentOutput({ address, value }: Payment, { network }: BitcoinDescriptor): PayoutOutput {
  const script = decodeAddress(address, network)
  if (value < computeDustLimit(script)) {
    throw new ChainError(
      'dust',
      `A payment of ${value} satoshi is too small: nodes relay at least ${computeDustLimit(script)}.`,
    )
  }
  if (value > MAXIMUM_VALUE)
    throw new ChainError('too_much', 'A payment exceeds all bitcoin that there can be.')
  return { kind: 'payment', address, script, value }
}

function checkFeeRate(feeRate: number): void {
  if (!Number.isFinite(feeRate) || feeRate < RELAY_FEE_RATE) {
    throw new ChainError('fee_too_low', 'The fee rate must be at least 1 satoshi per virtual byte.')
  }
}

function checkCoins(descriptor: BitcoinDescriptor, coins: readonly Coin[]): void {
  if (new Set(coins.map(({ txid, vout }) => `${txid}:${vout}`)).size < coins.length) {
    throw new ChainError('duplicate_coin', 'A coin is listed twice.')
  }
  for (const coin of coins) {
    if (
      !/^[0-9a-f]{64}$/.test(coin.txid) ||
      !Number.isInteger(coin.vout) ||
      coin.vout < 0 ||
      coin.value <= 0n
    ) {
      throw new ChainError('bad_coin', 'A coin needs a transaction id, an output number and a value.')
    }
    if (coin.rawTransaction === undefined) continue
    const { txid, outputs } = parseTransaction(coin.rawTransaction)
    const output = outputs[coin.vout]
    const { script } = deriveOutput(descriptor, coin.branch, coin.index)
    if (txid !== coin.txid || output?.value !== coin.value || output.script !== script) {
      throw new ChainError('bad_coin', 'A coin does not match the transaction that created it.')
    }
  }
}

function computeFee(virtualSize: number, feeRate: number): bigint {
  return BigInt(Math.ceil(virtualSize * feeRate))
}

function pickLarger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}

function sum(amounts: readonly { value: bigint }[]): bigint {
  return amounts.reduce((total, { value }) => total + value, 0n)
}

function compareByValue(left: Coin, right: Coin): number {
  if (left.value === right.value) return compareByOutpoint(left, right)
  return left.value > right.value ? -1 : 1
}

function compareByOutpoint(left: Coin, right: Coin): number {
  if (left.txid === right.txid) return left.vout - right.vout
  return left.txid < right.txid ? -1 : 1
}
