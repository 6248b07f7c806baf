import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64, bech32, bech32m, createBase58check } from '@scure/base'
import { normalizeAddress } from '../../src/contract/money/addresses.ts'
import { computeAccountDigest } from '../../worker/chains/ownership/accountSignature.ts'
import { computeLegacyDigest } from '../../worker/chains/ownership/bip137.ts'
import { computeKeyHashDigest, computeTaprootDigest, toSpend } from '../../worker/chains/ownership/bip322.ts'
import { decodeBitcoinScript, hash160, hashWrappedKey } from '../../worker/chains/ownership/bytes.ts'

/** A test wallet: an address, and a function that signs with its key. */
export interface Signer {
  readonly address: string
  sign(message: string): string
}

/** A secret key derived from a word. Nobody uses these keys for money. */
function keyOf(word: string): Uint8Array {
  return sha256(utf8ToBytes(`key of a test: ${word}`))
}

const base58check = createBase58check(sha256)

export function segwitSigner(word: string): Signer {
  return segwitSignerOf(keyOf(word))
}

/** A signer with this secret key. */
export function segwitSignerOf(key: Uint8Array): Signer {
  const publicKey = secp256k1.getPublicKey(key, true)
  const keyHash = hash160(publicKey)
  const address = bech32.encode('bc', [0, ...bech32.toWords(keyHash)])
  return { address, sign: (message) => keyHashWitness(key, keyHash, address, message) }
}

export function wrappedSigner(word: string): Signer {
  const key = keyOf(word)
  const publicKey = secp256k1.getPublicKey(key, true)
  const address = base58check.encode(concatBytes(Uint8Array.of(0x05), hashWrappedKey(publicKey)))
  return { address, sign: (message) => keyHashWitness(key, hash160(publicKey), address, message) }
}

/** Pays to the key itself, without a tweak. */
export function taprootSigner(word: string, flag = 0): Signer {
  const key = keyOf(word)
  const publicKey = schnorr.getPublicKey(key)
  const address = bech32m.encode('bc', [1, ...bech32m.toWords(publicKey)])
  return {
    address,
    sign: (message) => {
      const { script } = scriptOf(address)
      const signed = schnorr.sign(
        computeTaprootDigest(toSpend(script, message), script, flag),
        key,
        new Uint8Array(32),
      )
      return witness(flag === 0 ? signed : concatBytes(signed, Uint8Array.of(flag)))
    },
  }
}

export function legacySigner(word: string): Signer {
  const key = keyOf(word)
  const address = base58check.encode(
    concatBytes(Uint8Array.of(0x00), hash160(secp256k1.getPublicKey(key, true))),
  )
  return {
    address,
    sign: (message) => {
      const [recovery = 0, ...signed] = recovered(computeLegacyDigest(message), key)
      return base64.encode(Uint8Array.from([31 + recovery, ...signed]))
    },
  }
}

export function accountSigner(word: string, chain: 'ethereum' | 'tron' = 'ethereum'): Signer {
  return accountSignerOf(keyOf(word), chain)
}

/** A signer with this secret key. */
export function accountSignerOf(key: Uint8Array, chain: 'ethereum' | 'tron' = 'ethereum'): Signer {
  const account = keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12)
  return {
    address:
      chain === 'tron'
        ? base58check.encode(concatBytes(Uint8Array.of(0x41), account))
        : normalizeAddress('eth', `0x${bytesToHex(account)}`),
    sign: (message) => {
      const [recovery = 0, ...signed] = recovered(computeAccountDigest(chain, message), key)
      return `0x${bytesToHex(Uint8Array.from([...signed, 27 + recovery]))}`
    },
  }
}

function keyHashWitness(key: Uint8Array, keyHash: Uint8Array, address: string, message: string): string {
  const digest = computeKeyHashDigest(toSpend(scriptOf(address).script, message), keyHash)
  const signed = secp256k1.sign(digest, key, { prehash: false, format: 'der' })
  return witness(concatBytes(signed, Uint8Array.of(1)), secp256k1.getPublicKey(key, true))
}

function recovered(digest: Uint8Array, key: Uint8Array): Uint8Array {
  return secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
}

/** A witness stack in the format of a BIP 322 signature. */
export function witness(...items: Uint8Array[]): string {
  return base64.encode(
    concatBytes(Uint8Array.of(items.length), ...items.flatMap((item) => [Uint8Array.of(item.length), item])),
  )
}

function scriptOf(address: string) {
  const script = decodeBitcoinScript(address)
  if (script === null) throw new Error('The signer’s own address is wrong.')
  return script
}
