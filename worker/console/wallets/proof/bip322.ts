import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import {
  type BitcoinScript,
  bytesOfBase64,
  equalBytes,
  hash160,
  payToKeyHash,
  type Signed,
  utf8,
  wrappedKeyHash,
} from './bytes.ts'

/**
 * Whether a "simple" signature of BIP 322 signs the message for this script: the witness of a transaction that spends
 * another one, which holds the message and exists nowhere. One key in a P2WPKH, P2SH-P2WPKH or taproot (key path) address;
 * every signature over everything (SIGHASH_ALL), strictly encoded and with a low S.
 */
export function isGenericSigned(script: BitcoinScript, { message, signature }: Signed): boolean {
  // Newer wallets name the variant before it.
  const bytes = bytesOfBase64(signature.replace(/^smp/, ''))
  const witness = bytes && witnessOf(bytes)
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
/** The one output of `to_sign`: nothing, to OP_RETURN. */
const OUTPUT = concatBytes(ZERO_8, Uint8Array.of(1, 0x6a))

/** The hash by which a message is put into `to_spend`. */
export function messageHash(message: string): Uint8Array {
  return taggedHash('BIP0322-signed-message', utf8(message))
}

/** The id of `to_spend`, in the order of bytes in which transactions refer to it. */
export function toSpend(script: Uint8Array, message: string): Uint8Array {
  const input = concatBytes(new Uint8Array(32), Uint8Array.of(0xff, 0xff, 0xff, 0xff))
  const inputScript = concatBytes(Uint8Array.of(34, 0x00, 32), messageHash(message))
  const output = concatBytes(ZERO_8, Uint8Array.of(script.length), script)
  return hash256(concatBytes(ZERO_4, ONE, input, inputScript, ZERO_4, ONE, output, ZERO_4))
}

/** The id of `to_sign` without its witness, in the order of bytes of `toSpend`. */
export function toSign(spent: Uint8Array): Uint8Array {
  return hash256(concatBytes(ZERO_4, ONE, spent, ZERO_4, ZERO_1, ZERO_4, ONE, OUTPUT, ZERO_4))
}

/** What a key behind its hash signs (BIP 143). */
export function keyHashDigest(spent: Uint8Array, keyHash: Uint8Array): Uint8Array {
  const outpoint = concatBytes(spent, ZERO_4)
  const inputs = concatBytes(hash256(outpoint), hash256(ZERO_4), outpoint)
  const script = concatBytes(Uint8Array.of(25), payToKeyHash(keyHash))
  const outputs = concatBytes(ZERO_4, hash256(OUTPUT), ZERO_4)
  return hash256(concatBytes(ZERO_4, inputs, script, ZERO_8, outputs, SIGHASH_ALL_BYTES))
}

/** What a taproot key signs (BIP 341), with the default or the named flag. */
export function taprootDigest(spent: Uint8Array, script: Uint8Array, flag: number): Uint8Array {
  return taggedHash(
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
    (kind === 'p2wpkh' && equalBytes(keyHash, program)) ||
    (kind === 'p2sh' && equalBytes(wrappedKeyHash(publicKey), program))
  if (!isOurs || signed.at(-1) !== SIGHASH_ALL) return false
  return verified(() =>
    secp256k1.verify(signed.subarray(0, -1), keyHashDigest(spent, keyHash), publicKey, {
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
  // 64 bytes stand for the default flag, which must not be spelled out.
  if (signed.length !== 64 && (signed.length !== 65 || flag !== SIGHASH_ALL)) return false
  return verified(() => schnorr.verify(signed.subarray(0, 64), taprootDigest(spent, script, flag), program))
}

/** The items of a witness stack, none of which is longer than 252 bytes here; null where the bytes are no such stack. */
function witnessOf(bytes: Uint8Array): Uint8Array[] | null {
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

/** The curve's code throws on what is no point or no signature; here that is an answer. */
function verified(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

function hash256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes))
}

/** SHA-256 under a name, so that a hash of one purpose is none of another (BIP 340). */
function taggedHash(tag: string, ...parts: Uint8Array[]): Uint8Array {
  const name = sha256(utf8(tag))
  return sha256(concatBytes(name, name, ...parts))
}
