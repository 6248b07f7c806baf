import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import type { HDKey } from '@scure/bip32'
import { utils } from '@scure/btc-signer'
import { ChainError } from '../chainError.ts'
import { type BitcoinDescriptor, parseExtendedKey } from './descriptor.ts'
import { HARDENED } from './descriptorKey.ts'

export type Branch = 'receive' | 'change'

/** A key of one address, and how a signing device finds its private half. */
export interface DerivedKey {
  /** Compressed, hex. */
  publicKey: string
  fingerprint: string
  path: number[]
}

/** The output of a descriptor at one index. */
export interface DerivedOutput {
  /** scriptPubKey, hex. */
  script: string
  /** The script whose hash is in `script`, for `wsh` only. */
  witnessScript: string | null
  /** In the order of the descriptor. */
  keys: DerivedKey[]
}

/** scriptPubKey of the receiving address with this index, hex. */
export function deriveReceiveScript(descriptor: BitcoinDescriptor, index: number): string {
  return deriveOutput(descriptor, 'receive', index).script
}

/** scriptPubKey of the change address with this index, hex. */
export function deriveChangeScript(descriptor: BitcoinDescriptor, index: number): string {
  return deriveOutput(descriptor, 'change', index).script
}

/** Derives the script and keys of one address. `index` counts from 0. */
export function deriveOutput(descriptor: BitcoinDescriptor, branch: Branch, index: number): DerivedOutput {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED) {
    throw new ChainError('bad_index', 'The index of an address must be a whole number below 2147483648.')
  }
  const keys = deriveParents(descriptor)[branch].map(({ parent, fingerprint, path }) => ({
    publicKey: hex.encode(parent.deriveChild(index).publicKey ?? new Uint8Array()),
    fingerprint,
    path: [...path, index],
  }))
  return {
    ...buildScripts(
      descriptor,
      keys.map(({ publicKey }) => publicKey),
    ),
    keys,
  }
}

/** The script of `sortedmulti`: the keys in lexicographic order (BIP-67), hex. */
export function buildSortedMultisigScript(threshold: number, publicKeys: readonly string[]): string {
  const pushes = publicKeys.toSorted().map((key) => `21${key}`)
  return `${encodeSmall(threshold)}${pushes.join('')}${encodeSmall(publicKeys.length)}${OP_CHECKMULTISIG}`
}

/** Tells apart x-only keys, which taproot uses, from compressed ones: the first byte is left out. */
export function toXOnly(publicKey: string): string {
  return publicKey.slice(2)
}

const OP_CHECKMULTISIG = 'ae'

/** The operation that pushes a number from 1 to 16. */
function encodeSmall(value: number): string {
  return (0x50 + value).toString(16)
}

function buildScripts(
  { kind, threshold }: BitcoinDescriptor,
  publicKeys: readonly string[],
): { script: string; witnessScript: string | null } {
  const [publicKey = ''] = publicKeys
  if (kind === 'wpkh')
    return { script: `0014${hex.encode(ripemd160(sha256(hex.decode(publicKey))))}`, witnessScript: null }
  if (kind === 'tr') {
    // BIP-86: the output key commits to an empty tree of scripts.
    const [outputKey] = utils.taprootTweakPubkey(hex.decode(toXOnly(publicKey)), new Uint8Array())
    return { script: `5120${hex.encode(outputKey)}`, witnessScript: null }
  }
  const witnessScript = buildSortedMultisigScript(threshold, publicKeys)
  return { script: `0020${hex.encode(sha256(hex.decode(witnessScript)))}`, witnessScript }
}

interface Parent {
  parent: HDKey
  fingerprint: string
  path: number[]
}

/** Parents are the expensive part, and the same for every address. A descriptor is an unchanging value. */
const parents = new WeakMap<BitcoinDescriptor, Record<Branch, Parent[]>>()

function deriveParents(descriptor: BitcoinDescriptor): Record<Branch, Parent[]> {
  const known = parents.get(descriptor)
  if (known !== undefined) return known
  const deriveBranch = (branch: Branch) =>
    descriptor.keys.map((key) => {
      const extended = parseExtendedKey(key, descriptor.network)
      const steps = branch === 'receive' ? key.receivePath : key.changePath
      // Without an origin the extended key counts as the master key, as in Bitcoin Core.
      const fingerprint = key.origin?.fingerprint ?? extended.fingerprint.toString(16).padStart(8, '0')
      const parent = steps.reduce((node, step) => node.deriveChild(step), extended)
      return { parent, fingerprint, path: [...(key.origin?.path ?? []), ...steps] }
    })
  const derived = { receive: deriveBranch('receive'), change: deriveBranch('change') }
  parents.set(descriptor, derived)
  return derived
}
