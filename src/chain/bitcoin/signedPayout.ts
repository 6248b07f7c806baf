import { hex } from '@scure/base'
import { ChainError } from '../chainError.ts'
import type { DerivedOutput } from './derive.ts'
import { toTransaction, type UnsignedPayout } from './payout.ts'
import { buildUnsignedTransaction, encodePsbt, type Psbt } from './psbt.ts'
import { type OfferedSignature, SignatureCheck } from './signatures.ts'
import { readSignedFile, type SignedInput } from './signedFile.ts'
import { type BitcoinTransaction, parseTransaction, serializeTransaction } from './transaction.ts'

export interface InputSignatures {
  have: number
  need: number
  /** The keys that signed, by their numbers in the descriptor. */
  keys: number[]
}

/** A payout that may be broadcast, or one with valid signatures that still needs more. */
export type SignedPayout = { inputs: InputSignatures[] } & (
  | { status: 'complete'; rawTransaction: string; txid: string; virtualSize: number }
  | { status: 'partial'; psbt: Psbt }
)

/**
 * Compares the signed transaction with the payout that we built: every input, every output, version and lock time. Verifies each
 * signature. Throws a ChainError that names the difference. The result contains only our own transaction and the verified signatures.
 *
 * @param signed a PSBT (binary, base64 or hex) or a raw transaction in hex
 */
export function checkSignedPayout(signed: string | Uint8Array, payout: UnsignedPayout): SignedPayout {
  return combinePayouts([signed], payout)
}

/** As `checkSignedPayout`, with the signatures of several files together: two people may sign at the same time. */
export function combinePayouts(
  signed: readonly (string | Uint8Array)[],
  payout: UnsignedPayout,
): SignedPayout {
  const check = new SignatureCheck(payout)
  /** Signatures by key, for each input. */
  const found = payout.inputs.map(() => new Map<string, string>())
  for (const file of signed.map(readSignedFile)) {
    compare(file.transaction, toTransaction(payout), payout)
    file.inputs.forEach((input, i) => {
      const name = describePart('Input', i, payout.inputs.length)
      for (const offered of listOfferedSignatures(input, payout, check.derived(i), name)) {
        found[i]?.set(check.signer(i, offered, name), offered.signature)
      }
    })
  }
  const need = payout.descriptor.threshold
  const isComplete = found.every((signatures) => signatures.size >= need)
  const inputs = found.map((signatures, i) => ({
    have: signatures.size,
    need,
    keys: check.derived(i).keys.flatMap(({ publicKey }, key) => (signatures.has(publicKey) ? [key] : [])),
  }))
  return isComplete
    ? { ...buildCompletePayout(payout, check, found), inputs }
    : { status: 'partial', psbt: buildPartialPayout(payout, found), inputs }
}

function compare(signed: BitcoinTransaction, built: BitcoinTransaction, payout: UnsignedPayout): void {
  if (signed.version !== built.version)
    throw createDifferenceError('version_changed', 'The version of the transaction')
  if (signed.lockTime !== built.lockTime)
    throw createDifferenceError('lock_time_changed', 'The lock time of the transaction')
  if (signed.inputs.length !== built.inputs.length)
    throw createDifferenceError('inputs_changed', 'The number of inputs')
  const [signedCoins, builtCoins] = [signed.inputs.map(formatCoin), built.inputs.map(formatCoin)]
  if (
    signedCoins.toSorted().join() === builtCoins.toSorted().join() &&
    signedCoins.join() !== builtCoins.join()
  )
    throw createDifferenceError('input_order_changed', 'The order of the inputs')
  built.inputs.forEach((input, i) => {
    const signedInput = signed.inputs[i]
    const name = describePart('Input', i, built.inputs.length)
    if (signedCoins[i] !== builtCoins[i]) {
      throw new ChainError(
        'input_changed',
        `${name} spends ${signedCoins[i]} instead of ${builtCoins[i]}. Another coin than the approved one was put in.`,
      )
    }
    if (signedInput?.sequence !== input.sequence)
      throw createDifferenceError('sequence_changed', `The sequence number of ${toLowerStart(name)}`)
    if (signedInput.script !== '')
      throw createDifferenceError('input_changed', `The script of ${toLowerStart(name)}`)
  })
  if (signed.outputs.length !== built.outputs.length)
    throw createDifferenceError('outputs_changed', 'The number of outputs')
  built.outputs.forEach((output, i) => {
    const signedOutput = signed.outputs[i]
    const kind = payout.outputs[i]?.kind === 'change' ? ' (change)' : ''
    const name = `${toLowerStart(describePart('Output', i, built.outputs.length))}${kind}`
    if (signedOutput?.script !== output.script)
      throw createDifferenceError('output_address_changed', `The address of ${name}`)
    if (signedOutput.value !== output.value) {
      throw createDifferenceError(
        'output_value_changed',
        `The amount of ${name}`,
        ` It is ${signedOutput.value} satoshi instead of ${output.value}.`,
      )
    }
  })
}

function formatCoin({ txid, vout }: { txid: string; vout: number }): string {
  return `${txid}:${vout}`
}

function createDifferenceError(code: string, what: string, detail = ''): ChainError {
  return new ChainError(code, `${what} differs from what was approved.${detail}`)
}

function describePart(kind: 'Input' | 'Output', i: number, count: number): string {
  return `${kind} ${i + 1} of ${count}`
}

function toLowerStart(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function listOfferedSignatures(
  input: SignedInput,
  { descriptor }: UnsignedPayout,
  derived: DerivedOutput,
  name: string,
): OfferedSignature[] {
  const isTaproot = descriptor.kind === 'tr'
  if (input.sighash !== null && input.sighash !== 1 && !(isTaproot && input.sighash === 0)) {
    throw new ChainError(
      'bad_sighash',
      `${name} asks for signatures that do not cover the whole transaction.`,
    )
  }
  if (input.hasOther || (isTaproot ? input.partial.length > 0 : input.taprootSignature !== null)) {
    throw new ChainError(
      'unexpected_witness',
      `${name} has a signature of a kind that the descriptor does not use.`,
    )
  }
  const taproot =
    input.taprootSignature === null
      ? []
      : [{ publicKey: derived.keys[0]?.publicKey ?? null, signature: input.taprootSignature }]
  return [
    ...input.partial,
    ...taproot,
    ...readWitnessSignatures(input.witness, descriptor.kind, derived, name),
  ]
}

/** Takes the signatures out of a complete witness. Refuses a witness of another form than the descriptor's. */
function readWitnessSignatures(
  witness: readonly string[],
  kind: UnsignedPayout['descriptor']['kind'],
  { witnessScript }: DerivedOutput,
  name: string,
): OfferedSignature[] {
  if (witness.length === 0) return []
  const [first = '', second = ''] = witness
  if (kind === 'wpkh' && witness.length === 2) return [{ signature: first, publicKey: second }]
  if (kind === 'tr' && witness.length === 1) return [{ signature: first, publicKey: null }]
  if (kind === 'wsh-sortedmulti' && witness.length > 2 && first === '' && witness.at(-1) === witnessScript) {
    return witness.slice(1, -1).map((signature) => ({ signature, publicKey: null }))
  }
  throw new ChainError('unexpected_witness', `${name} has a witness that does not fit the descriptor.`)
}

function buildCompletePayout(
  payout: UnsignedPayout,
  check: SignatureCheck,
  found: readonly ReadonlyMap<string, string>[],
) {
  const transaction = toTransaction(payout)
  transaction.inputs.forEach((input, i) => {
    input.witness = buildWitness(payout, check.derived(i), found[i] ?? new Map())
  })
  const rawTransaction = serializeTransaction(transaction)
  const { txid, virtualSize } = parseTransaction(rawTransaction)
  return { status: 'complete' as const, rawTransaction, txid, virtualSize }
}

function buildWitness(
  { descriptor: { kind, threshold } }: UnsignedPayout,
  { keys, witnessScript }: DerivedOutput,
  signatures: ReadonlyMap<string, string>,
): string[] {
  const [[publicKey, signature] = ['', '']] = signatures
  if (kind === 'wpkh') return [signature, publicKey]
  if (kind === 'tr') return [signature]
  // OP_CHECKMULTISIG wants the signatures in the order of the keys, which is sorted.
  const sorted = keys.map((key) => key.publicKey).toSorted()
  const ordered = sorted.flatMap((key) => signatures.get(key) ?? []).slice(0, threshold)
  return ['', ...ordered, witnessScript ?? '']
}

function buildPartialPayout(payout: UnsignedPayout, found: readonly ReadonlyMap<string, string>[]): Psbt {
  const { descriptor } = payout
  const transaction = buildUnsignedTransaction(payout)
  found.forEach((signatures, i) => {
    const entries = [...signatures].map(
      ([key, signature]) => [hex.decode(key), hex.decode(signature)] as const,
    )
    if (entries.length > 0) {
      const [first] = entries
      transaction.updateInput(
        i,
        descriptor.kind === 'tr'
          ? { tapKeySig: first?.[1] ?? new Uint8Array() }
          : { partialSig: entries.map(([key, signature]): [Uint8Array, Uint8Array] => [key, signature]) },
        true,
      )
    }
  })
  return encodePsbt(transaction, descriptor)
}
