import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import { SigHash, Transaction } from '@scure/btc-signer'
import { ChainError } from '../chainError.ts'
import { type DerivedOutput, deriveOutput } from './derive.ts'
import { toTransaction, type UnsignedPayout } from './payout.ts'
import { serializeTransaction } from './transaction.ts'

/** A signature in hex, with the key that made it. A finished multisig witness does not name the keys. */
export interface OfferedSignature {
  publicKey: string | null
  signature: string
}

/** Verifies signatures against the payout that we built, whatever the signed file says about amounts and scripts. */
export class SignatureCheck {
  readonly #payout: UnsignedPayout
  readonly #transaction: Transaction
  readonly #derived: DerivedOutput[]

  constructor(payout: UnsignedPayout) {
    this.#payout = payout
    this.#derived = payout.inputs.map(({ branch, index }) => deriveOutput(payout.descriptor, branch, index))
    this.#transaction = Transaction.fromRaw(hex.decode(serializeTransaction(toTransaction(payout))), {
      allowUnknownOutputs: true,
    })
  }

  derived(input: number): DerivedOutput {
    const derived = this.#derived[input]
    if (derived === undefined)
      throw new ChainError('no_such_input', 'The payout has no input with this number.')
    return derived
  }

  /** Returns the key that signed the input. Throws if none of its keys did, or if the signature does not cover everything. */
  signer(input: number, { publicKey, signature }: OfferedSignature, name: string): string {
    const isTaproot = this.#payout.descriptor.kind === 'tr'
    const sighash = isTaproot ? readSchnorrSighash(signature) : Number.parseInt(signature.slice(-2), 16)
    if (sighash !== SigHash.ALL && !(isTaproot && sighash === SigHash.DEFAULT)) {
      throw new ChainError('bad_sighash', `A signature of ${name} does not cover the whole transaction.`)
    }
    const keys = this.derived(input).keys.map((key) => key.publicKey)
    if (publicKey !== null && !keys.includes(publicKey)) {
      throw new ChainError('foreign_signature', `${name} is signed with a key that is not in the descriptor.`)
    }
    const candidates = publicKey === null ? keys : [publicKey]
    const signer = candidates.find((key) =>
      isTaproot ? this.#isSchnorr(input, signature, sighash) : this.#isEcdsa(input, signature, key),
    )
    if (signer === undefined)
      throw new ChainError('bad_signature', `A signature of ${name} is not valid for this payout.`)
    return signer
  }

  #isSchnorr(input: number, signature: string, sighash: number): boolean {
    const scripts = this.#derived.map(({ script }) => hex.decode(script))
    const values = this.#payout.inputs.map(({ value }) => value)
    const digest = this.#transaction.preimageWitnessV1(input, scripts, sighash, values)
    // The output key, behind the version and a length.
    const outputKey = hex.decode(this.derived(input).script.slice(4))
    return tryVerify(() => schnorr.verify(hex.decode(signature.slice(0, 128)), digest, outputKey))
  }

  #isEcdsa(input: number, signature: string, publicKey: string): boolean {
    const { witnessScript } = this.derived(input)
    const script = witnessScript ?? buildKeyHashScript(publicKey)
    const value = this.#payout.inputs[input]?.value ?? 0n
    const digest = this.#transaction.preimageWitnessV0(input, hex.decode(script), SigHash.ALL, value)
    const der = tryDecode(signature.slice(0, -2))
    return tryVerify(() =>
      secp256k1.verify(der, digest, hex.decode(publicKey), { prehash: false, format: 'der', lowS: true }),
    )
  }
}

/** BIP-341: 64 bytes stand for the default, and a 65th byte must say something else. */
function readSchnorrSighash(signature: string): number {
  if (signature.length === 128) return SigHash.DEFAULT
  const last = Number.parseInt(signature.slice(128), 16)
  return signature.length === 130 && last !== SigHash.DEFAULT ? last : -1
}

/** The script code that a P2WPKH signature covers (BIP-143). */
function buildKeyHashScript(publicKey: string): string {
  return `76a914${hex.encode(ripemd160(sha256(hex.decode(publicKey))))}88ac`
}

function tryDecode(text: string): Uint8Array {
  return /^(?:[0-9a-f]{2})*$/.test(text) ? hex.decode(text) : new Uint8Array()
}

/** The libraries throw for malformed signatures. */
function tryVerify(verify: () => boolean): boolean {
  try {
    return verify()
  } catch {
    return false
  }
}
