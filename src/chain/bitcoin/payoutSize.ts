import { sum } from '../../contract/numbers.ts'
import type { BitcoinDescriptor } from './descriptor.ts'

/**
 * The most virtual bytes that a signed transaction takes with this many inputs of the descriptor and these output scripts (hex).
 * Signatures vary by a byte; the longest ones count, so that the fee rate is never below the wanted one.
 */
export function computePayoutVirtualSize(
  descriptor: BitcoinDescriptor,
  inputs: number,
  scripts: readonly string[],
): number {
  const outputs = sum(scripts.map(countOutputBytes))
  const base = 4 + 4 + countLengthBytes(inputs) + countLengthBytes(scripts.length) + outputs
  return Math.ceil((4 * base + 2 + inputs * computeInputWeight(descriptor)) / 4)
}

/** Virtual bytes that one more input adds. */
export function computeInputVirtualSize(descriptor: BitcoinDescriptor): number {
  return computeInputWeight(descriptor) / 4
}

/**
 * The least value (satoshi) that an output may have: less than it costs to spend at 3 satoshi per virtual byte is dust, which nodes do not
 * relay (`GetDustThreshold` of Bitcoin Core).
 */
export function computeDustLimit(script: string): bigint {
  const isWitnessProgram = /^(?:00|5[1-9a-f]|60)(?:0[2-9a-f]|1[0-9a-f]|2[0-8])(?:..)+$/.test(script)
  return BigInt(3 * (countOutputBytes(script) + (isWitnessProgram ? 67 : 148)))
}

/** Transaction id, output, empty script, sequence. */
const INPUT_BYTES = 32 + 4 + 1 + 4
/** An ECDSA signature with its sighash byte, if S is low. */
const ECDSA_BYTES = 72
/** A Schnorr signature with its sighash byte, which most signers leave out. */
const SCHNORR_BYTES = 65
const PUBLIC_KEY_BYTES = 33

function computeInputWeight(descriptor: BitcoinDescriptor): number {
  return 4 * INPUT_BYTES + countWitnessBytes(descriptor)
}

function countWitnessBytes({ kind, threshold, keys }: BitcoinDescriptor): number {
  if (kind === 'wpkh') return 1 + 1 + ECDSA_BYTES + 1 + PUBLIC_KEY_BYTES
  if (kind === 'tr') return 1 + 1 + SCHNORR_BYTES
  const script = 3 + keys.length * (1 + PUBLIC_KEY_BYTES)
  // An empty item stands first: OP_CHECKMULTISIG takes one more than it needs.
  return 1 + 1 + threshold * (1 + ECDSA_BYTES) + countLengthBytes(script) + script
}

function countOutputBytes(script: string): number {
  const length = script.length / 2
  return 8 + countLengthBytes(length) + length
}

function countLengthBytes(length: number): number {
  return length < 0xfd ? 1 : 3
}
