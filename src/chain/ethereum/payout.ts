import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { findAddressProblem, formatProblem, normalizeAddress } from '../../contract/money/addresses.ts'
import { ChainError } from '../chainError.ts'
import { encodeQuantity, type Hex, parseHex, toHex } from './hex.ts'
import { decodeNumber, decodeRlp, encodeRlp, listItem, type RlpInput, type RlpItem } from './rlp.ts'
import { deriveSender } from './sender.ts'
import type { Token } from './tokens.ts'
import { withType } from './types.ts'

export interface PayoutOrder extends Fees {
  readonly chainId: number
  /** The number of transactions that `from` has sent. */
  readonly nonce: number
  readonly from: string
  /** Who is paid, also when a token is. */
  readonly to: string
  readonly asset: 'ether' | Token
  /** In the asset's smallest unit. */
  readonly quantity: bigint
  readonly gasLimit: bigint
}

/** Wei per unit of gas. */
interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A transaction to be signed outside the system. */
export interface UnsignedPayout {
  readonly from: string
  /** The bytes to sign: the type and the fields without a signature (EIP-1559). */
  readonly unsigned: Hex
  /** As wallets import it: the parameter of `eth_signTransaction`. */
  readonly transaction: Readonly<Record<string, string | readonly never[]>>
  readonly summary: PayoutSummary
}

/** For the person who signs to compare with the wallet's screen. */
export interface PayoutSummary {
  readonly from: string
  readonly to: string
  /** A decimal number in the asset's own unit, for example `12.5`. */
  readonly amount: string
  readonly symbol: string
  /** The token's contract, which the wallet shows as the receiver. Null for ether. */
  readonly contract: string | null
  readonly nonce: number
  /** The most that the network may take, a decimal number in ETH. */
  readonly maxNetworkFee: string
}

/** Builds an unsigned EIP-1559 transaction that sends ether, or calls a token's `transfer(address,uint256)` (ERC-20). */
export function buildPayout(order: PayoutOrder): UnsignedPayout {
  checkOrder(order)
  const { chainId, nonce, asset, quantity, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = order
  const from = normalizeAddress('eth', order.from)
  const to = normalizeAddress('eth', order.to)
  const token = asset === 'ether' ? null : { ...asset, contract: normalizeAddress('eth', asset.contract) }
  const receiver = token?.contract ?? to
  const value = token ? 0n : quantity
  const data = token ? encodeTransferCall(to, quantity) : new Uint8Array(0)
  const fields: RlpInput[] = [
    BigInt(chainId),
    BigInt(nonce),
    maxPriorityFeePerGas,
    maxFeePerGas,
    gasLimit,
    parseHex(receiver, 'receiver', 20),
    value,
    data,
    [],
  ]
  return {
    from,
    unsigned: toHex(withType(2, encodeRlp(fields))),
    transaction: {
      type: '0x2',
      chainId: encodeQuantity(BigInt(chainId)),
      nonce: encodeQuantity(BigInt(nonce)),
      from,
      to: receiver,
      value: encodeQuantity(value),
      data: toHex(data),
      gas: encodeQuantity(gasLimit),
      maxFeePerGas: encodeQuantity(maxFeePerGas),
      maxPriorityFeePerGas: encodeQuantity(maxPriorityFeePerGas),
      accessList: [],
    },
    summary: {
      from,
      to,
      amount: formatDecimal(quantity, token?.decimals ?? ETHER_DECIMALS),
      symbol: token?.symbol ?? 'ETH',
      contract: token?.contract ?? null,
      nonce,
      maxNetworkFee: formatDecimal(gasLimit * maxFeePerGas, ETHER_DECIMALS),
    },
  }
}

/**
 * Builds the same payout with higher fees. It has the same nonce, so only one of the two can be mined. Both fees must rise by an eighth,
 * because nodes ignore a replacement that pays less than about a tenth more. Without `fees` they rise by exactly that.
 */
export function replacePayout(previous: PayoutOrder, fees?: Fees): UnsignedPayout {
  const least: Fees = {
    maxFeePerGas: computeRaisedFee(previous.maxFeePerGas),
    maxPriorityFeePerGas: computeRaisedFee(previous.maxPriorityFeePerGas),
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = fees ?? least
  if (maxFeePerGas < least.maxFeePerGas || maxPriorityFeePerGas < least.maxPriorityFeePerGas) {
    throw new ChainError(
      'fee_too_low',
      `A replacement needs at least ${formatGwei(least.maxFeePerGas)} gwei per unit of gas, and a priority fee of at least ${formatGwei(least.maxPriorityFeePerGas)} gwei.`,
    )
  }
  return buildPayout({ ...previous, maxFeePerGas, maxPriorityFeePerGas })
}

/** Rounded up to a thousandth. */
function formatGwei(wei: bigint): number {
  return Number((wei + 999_999n) / 1_000_000n) / 1_000
}

/**
 * Compares a signed transaction with the payout that was approved, field by field, and recovers who signed it. Refuses every difference,
 * another signer, and a signature that a third person could have altered (EIP-2). Returns what to broadcast.
 */
export function checkSignedPayout(
  rawSigned: string,
  { unsigned, from }: Pick<UnsignedPayout, 'unsigned' | 'from'>,
): { hash: Hex; raw: Hex } {
  const bytes = parseHex(rawSigned.trim(), 'signed transaction')
  const signed = decodePayoutFields(bytes, SIGNED_FIELDS.length + SIGNATURE_LENGTH, 'signed transaction')
  const approved = decodePayoutFields(
    parseHex(unsigned, 'approved payout'),
    SIGNED_FIELDS.length,
    'approved payout',
  )
  for (const [i, { code, name, isNumber }] of SIGNED_FIELDS.entries()) {
    const [is, expected] = [formatItem(signed[i], isNumber), formatItem(approved[i], isNumber)]
    if (is === expected) continue
    throw new ChainError(
      `${code}_differs`,
      `The ${name} of the signed transaction is ${is}. Approved was ${expected}.`,
    )
  }
  const signer = deriveSender(bytes)
  if (signer !== normalizeAddress('eth', from)) {
    throw new ChainError('signer_differs', `The transaction is signed by ${signer}, not by ${from}.`)
  }
  return { hash: toHex(keccak_256(bytes)), raw: toHex(bytes) }
}

const ETHER_DECIMALS = 18
const MAX_UINT256 = 2n ** 256n - 1n
/** The gas of the simplest transaction (Yellow Paper, appendix G). */
const LEAST_GAS = 21_000n
/** The parity, r and s. */
const SIGNATURE_LENGTH = 3

/** The fields that are signed, in their order: the word in an error's code, and in its sentence. */
const SIGNED_FIELDS = [
  { code: 'chain_id', name: 'chain id', isNumber: true },
  { code: 'nonce', name: 'nonce', isNumber: true },
  { code: 'max_priority_fee', name: 'maximum priority fee', isNumber: true },
  { code: 'max_fee', name: 'maximum fee', isNumber: true },
  { code: 'gas_limit', name: 'gas limit', isNumber: true },
  { code: 'receiver', name: 'receiver', isNumber: false },
  { code: 'value', name: 'value', isNumber: true },
  { code: 'data', name: 'data', isNumber: false },
  { code: 'access_list', name: 'access list', isNumber: false },
]

function checkOrder(order: PayoutOrder): void {
  const { chainId, nonce, from, to, asset, quantity, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = order
  if (!Number.isSafeInteger(chainId) || chainId < 1) refuse('The chain id is not a whole number from 1.')
  if (!Number.isSafeInteger(nonce) || nonce < 0) refuse('The nonce is not a whole number from 0.')
  for (const address of [from, to]) refuseProblem(findAddressProblem('eth', address))
  if (asset !== 'ether') {
    refuseProblem(formatProblem('eth', asset.contract))
    if (asset.chainId !== chainId) refuse(`The token ${asset.symbol} is on another chain.`)
    // A common and costly mistake: a token's contract cannot send back tokens that it receives.
    if (asset.contract.toLowerCase() === to.toLowerCase()) {
      refuse(`The receiver is the contract of ${asset.symbol}. Anything sent to it would be lost.`)
    }
  }
  if (quantity <= 0n || quantity > MAX_UINT256) refuse('The quantity must be above zero.')
  if (gasLimit < LEAST_GAS) refuse(`The gas limit must be at least ${LEAST_GAS}.`)
  if (maxPriorityFeePerGas < 0n || maxFeePerGas <= 0n || maxFeePerGas > MAX_UINT256)
    refuse('A fee is out of range.')
  if (maxPriorityFeePerGas > maxFeePerGas) refuse('The maximum priority fee is above the maximum fee.')
}

function refuseProblem(problem: string | null): void {
  if (problem !== null) refuse(`${problem}.`)
}

function refuse(message: string): never {
  throw new ChainError('invalid_payout', message)
}

/** The call `transfer(to, quantity)`: the first four bytes of the hash of its signature, and both arguments in 32 bytes each. */
function encodeTransferCall(to: string, quantity: bigint): Uint8Array {
  const call = new Uint8Array(4 + 32 + 32)
  call.set(keccak_256(utf8ToBytes('transfer(address,uint256)')).subarray(0, 4))
  call.set(parseHex(to, 'receiver', 20), 4 + 12)
  call.set(parseHex(`0x${quantity.toString(16).padStart(64, '0')}`, 'quantity', 32), 4 + 32)
  return call
}

/** Fees raised by an eighth, rounded up. A fee of zero rises to one. */
function computeRaisedFee(fee: bigint): bigint {
  const up = (fee * 9n + 7n) / 8n
  return up > fee ? up : fee + 1n
}

function decodePayoutFields(bytes: Uint8Array, length: number, name: string): readonly RlpItem[] {
  if (bytes[0] !== 2) throw new ChainError('type_differs', `The ${name} is not of type 2 (EIP-1559).`)
  return listItem(decodeRlp(bytes.subarray(1), name), name, length)
}

/** A field for comparing and for reading. Different fields have different texts. */
function formatItem(item: RlpItem | undefined, isNumber: boolean): string {
  if (!(item instanceof Uint8Array))
    return `[${(item ?? []).map((child) => formatItem(child, false)).join(', ')}]`
  // A number with leading zeros is not canonical and stays hexadecimal.
  return isNumber && item[0] !== 0 ? decodeNumber(item).toString() : toHex(item)
}

/** A quantity of smallest units as a decimal number without trailing zeros. */
function formatDecimal(quantity: bigint, decimals: number): string {
  const digits = quantity.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
