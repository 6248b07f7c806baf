import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import {
  type BitcoinScript,
  buildKeyHashScript,
  decodeBase64,
  encodeUtf8,
  hash160,
  hashWrappedKey,
  isEqualBytes,
  type SignedMessage,
} from './bytes.ts'

/**
 * Whether a "simple" BIP 322 signature signs the message for this script: the witness of a virtual transaction that spends
 * another virtual one with the message. Supports one key in a P2WPKH, P2SH-P2WPKH or taproot (key path) address. Every
 * signature must cover everything (SIGHASH_ALL), be strictly encoded and have a low S.
 */
export function isGenericSigned(script: BitcoinScript, { message, signature }: SignedMessage): boolean {
  // Newer wallets prefix the signature with its variant.
  const bytes = decodeBase64(signature.replace(/^smp/, ''))
  const witness = bytes && parseWitness(bytes)
  if (!witness) return false
  const spent = toSpend(script.script, message)
  return script.kind === 'p2tr'
    ? isTaprootSigned(script, spent, witness)
    : isKeyHashSigned(script, spent, witness)
}

const SIGHASH_ALL = 0x01
const SIGHASH_ALL_BYTES = Uint8Array.of(SIGHASH_ALL, 0, 0, 0)
const ZERO_1 = new Uint8Array(1)
const ZERO_4 = new Uint8Array(4)
const ZERO_8 = new Uint8Array(8)
const ONE = Uint8Array.of(1)
/** The only output of `to_sign`: zero value to OP_RETURN. */
const OUTPUT = concatBytes(ZERO_8, Uint8Array.of(1, 0x6a))

/** The hash of the message in `to_spend`. */
export function hashMessage(message: string): Uint8Array {
  return hashTagged('BIP0322-signed-message', encodeUtf8(message))
}

/** The id of `to_spend`, in the byte order of references in transactions. */
export function toSpend(script: Uint8Array, message: string): Uint8Array {
  const input = concatBytes(new Uint8Array(32), Uint8Array.of(0xff, 0xff, 0xff, 0xff))
  const inputScript = concatBytes(Uint8Array.of(34, 0x00, 32), hashMessage(message))
  const output = concatBytes(ZERO_8, Uint8Array.of(script.length), script)
  return hash256(concatBytes(ZERO_4, ONE, input, inputScript, ZERO_4, ONE, output, ZERO_4))
}

/** The id of `to_sign` without its witness, in the byte order of `toSpend`. */
export function toSign(spent: Uint8Array): Uint8Array {
  return hash256(concatBytes(ZERO_4, ONE, spent, ZERO_4, ZERO_1, ZERO_4, ONE, OUTPUT, ZERO_4))
}

/** The digest that a P2WPKH key signs (BIP 143). */
export function computeKeyHashDigest(spent: Uint8Array, keyHash: Uint8Array): Uint8Array {
  const outpoint = concatBytes(spent, ZERO_4)
  const inputs = concatBytes(hash256(outpoint), hash256(ZERO_4), outpoint)
  const script = concatBytes(Uint8Array.of(25), buildKeyHashScript(keyHash))
  const outputs = concatBytes(ZERO_4, hash256(OUTPUT), ZERO_4)
  return hash256(concatBytes(ZERO_4, inputs, script, ZERO_8, outputs, SIGHASH_ALL_BYTES))
}

/** The digest that a taproot key signs (BIP 341), with the default or the named flag. */
export function computeTaprootDigest(spent: Uint8Array, script: Uint8Array, flag: number): Uint8Array {
  return hashTagged(
    'TapSighash',
    Uint8Array.of(0, flag),
    ZERO_4,
    ZERO_4,
    sha256(concatBytes(spent, ZERO_4)),
    sha256(ZERO_8),
    sha256(concatBytes(Uint8Array.of(script.length), script)),
    sha256(ZERO_4),
    sha256(OUTPUT),
    Uint8Array.of(0),
    ZERO_4,
  )
}

function isKeyHashSigned(
  { kind, program }: BitcoinScript,
  spent: Uint8Array,
  witness: readonly Uint8Array[],
): boolean {
  const [signed, publicKey, ...rest] = witness
  if (signed === undefined || publicKey?.length !== 33 || rest.length > 0) return false
  const keyHash = hash160(publicKey)
  const isOurs =
    (kind === 'p2wpkh' && isEqualBytes(keyHash, program)) ||
    (kind === 'p2sh' && isEqualBytes(hashWrappedKey(publicKey), program))
  if (!isOurs || signed.at(-1) !== SIGHASH_ALL) return false
  return tryVerify(() =>
    secp256k1.verify(signed.subarray(0, -1), computeKeyHashDigest(spent, keyHash), publicKey, {
      prehash: false,
      lowS: true,
      format: 'der',
    }),
  )
}

function isTaprootSigned(
  { program, script }: BitcoinScript,
  spent: Uint8Array,
  witness: readonly Uint8Array[],
): boolean {
  const [signed, ...rest] = witness
  if (signed === undefined || rest.length > 0) return false
  const flag = signed[64] ?? 0
  // 64 bytes mean the default flag, which must not be written out.
  if (signed.length !== 64 && (signed.length !== 65 || flag !== SIGHASH_ALL)) return false
  return tryVerify(() =>
    schnorr.verify(signed.subarray(0, 64), computeTaprootDigest(spent, script, flag), program),
  )
}

/** The items of a witness stack, each at most 252 bytes; null if the bytes are not such a stack. */
function parseWitness(bytes: Uint8Array): Uint8Array[] | null {
  const items: Uint8Array[] = []
  let at = 1
  for (let left = bytes[0] ?? 0; left > 0; left--) {
    const length = bytes[at] ?? 253
    if (length > 252 || at + 1 + length > bytes.length) return null
    items.push(bytes.subarray(at + 1, at + 1 + length))
    at += 1 + length
  }
  return at === bytes.length ? items : null
}

/** The curve library throws on an invalid point or signature; here that means false. */
function tryVerify(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

function hash256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes))
}

/** Tagged SHA-256 (BIP 340): a hash for one purpose is never valid for another. */
function hashTagged(tag: string, ...parts: Uint8Array[]): Uint8Array {
  const name = sha256(encodeUtf8(tag))
  return sha256(concatBytes(name, name, ...parts))
}
