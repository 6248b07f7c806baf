import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { ChainError } from '../chainError.ts'
import type { BitcoinNetwork } from './network.ts'

/** The master key behind an extended key. */
export interface KeyOrigin {
  /** 8 hexadecimal digits. */
  fingerprint: string
  /** The steps from the master key to the extended key. */
  path: number[]
}

/** An extended public key in a descriptor. Plain JSON. */
export interface DescriptorKey {
  /** Null if not given. */
  origin: KeyOrigin | null
  extendedKey: string
  /** The steps from `extendedKey` to the parent of receiving addresses and to the parent of change addresses. */
  receivePath: number[]
  changePath: number[]
  /** The whole expression in its canonical form: hardened steps with `h`. */
  text: string
}

/** Steps from here on are hardened (BIP-32). */
export const HARDENED = 0x80000000

/**
 * Parses a key expression (BIP-380, BIP-389): `[fingerprint/84h/0h/0h]xpub…/<0;1>/*`. Both branches must be given, so that change can
 * be recognised. Assumes that the text was searched for private keys.
 */
export function parseKey(text: string, network: BitcoinNetwork): DescriptorKey {
  const parts = /^(?:\[([^[\]]*)\])?([^[\]/]*)((?:\/[^[\]]*)?)$/.exec(text)
  if (parts === null)
    throw createKeyError('The origin of a key must stand in square brackets before the key, once.')
  const [, originText, extendedKey = '', pathText = ''] = parts
  const origin = originText === undefined ? null : parseOrigin(originText)
  checkExtendedKey(extendedKey, network)
  const { receivePath, changePath, canonical } = parsePath(pathText)
  const originCanonical =
    origin === null ? '' : `[${[origin.fingerprint, ...origin.path.map(formatStep)].join('/')}]`
  return {
    origin,
    extendedKey,
    receivePath,
    changePath,
    text: `${originCanonical}${extendedKey}${canonical}`,
  }
}

const EXTENDED_KEY_BYTES = 78

/** The bytes of an extended key (BIP-32). */
function decodeExtendedKey(text: string): Uint8Array {
  return base58check.decode(text)
}

/** Whether the origin leads to the extended key, as far as the key says: its depth and its last step. BIP-174 requires the depth. */
export function isOriginConsistent({ path }: KeyOrigin, extendedKey: string): boolean {
  const bytes = decodeExtendedKey(extendedKey)
  const step = new DataView(bytes.buffer, bytes.byteOffset).getUint32(9)
  return bytes[4] === path.length && step === (path.at(-1) ?? 0)
}

/** Why hardware may not recognise the key in a payout; null if its origin is complete. */
export function findOriginProblem({ origin, extendedKey }: DescriptorKey): string | null {
  if (origin === null || origin.fingerprint === UNKNOWN_FINGERPRINT)
    return 'The origin of the key is missing: its master key’s fingerprint and path, such as [d34db33f/84h/0h/0h].'
  return isOriginConsistent(origin, extendedKey)
    ? null
    : `The origin of the key has another path than its extended key, which is ${decodeExtendedKey(extendedKey)[4]} steps below the master key.`
}

/** Some wallets write zeros when they do not know the fingerprint. */
export const UNKNOWN_FINGERPRINT = '00000000'

function createKeyError(message: string): ChainError {
  return new ChainError('bad_key', message)
}

function parseOrigin(text: string): KeyOrigin {
  const [fingerprint = '', ...steps] = text.split('/')
  if (!/^[0-9a-fA-F]{8}$/.test(fingerprint))
    throw createKeyError('The fingerprint in a key’s origin must have 8 hexadecimal digits.')
  return { fingerprint: fingerprint.toLowerCase(), path: steps.map(parseStep) }
}

function parsePath(text: string): { receivePath: number[]; changePath: number[]; canonical: string } {
  if (text === '')
    throw createKeyError('Please add /<0;1>/* after each extended key: without it there is only one address.')
  const steps = text.slice(1).split('/')
  if (/^\*[h']$/.test(steps.at(-1) ?? ''))
    throw createKeyError('Addresses cannot be derived by hardened steps without the private key.')
  if (steps.pop() !== '*')
    throw createKeyError('The path of each key must end in /*: otherwise there is only one address.')
  const pairs = steps.filter((step) => /[<;>]/.test(step))
  if (pairs.length > 1) throw createKeyError('The path of a key may contain one <0;1> only.')
  if (pairs.length === 0) {
    throw createKeyError(
      'The path of each key must give both branches. Please write /<0;1>/* for addresses and change.',
    )
  }
  const branches = steps.map((step) =>
    /[<;>]/.test(step) ? parsePair(step) : [parsePublicStep(step), parsePublicStep(step)],
  )
  const getPath = (branch: 0 | 1) => branches.map((pair) => pair[branch] ?? 0)
  const canonical = branches.map(([receive, change]) =>
    receive === change ? `/${receive}` : `/<${receive};${change}>`,
  )
  return { receivePath: getPath(0), changePath: getPath(1), canonical: `${canonical.join('')}/*` }
}

function parsePair(text: string): number[] {
  const inside = /^<([^<>]*)>$/.exec(text)?.[1]
  const steps = inside?.split(';').map(parsePublicStep) ?? []
  if (steps.length !== 2 || steps[0] === steps[1]) {
    throw createKeyError('The branches of a key must be two different numbers, such as <0;1>.')
  }
  return steps
}

function parsePublicStep(text: string): number {
  const step = parseStep(text)
  if (step >= HARDENED)
    throw createKeyError('Addresses cannot be derived by hardened steps without the private key.')
  return step
}

function parseStep(text: string): number {
  const [, digits, hardened] = /^(\d{1,10})([h']?)$/.exec(text) ?? []
  const index = Number(digits)
  if (digits === undefined || index >= HARDENED) {
    throw createKeyError(
      'A step of a key’s path must be a number below 2147483648, with h behind it if it is hardened.',
    )
  }
  return hardened === '' ? index : index + HARDENED
}

function formatStep(step: number): string {
  return step >= HARDENED ? `${step - HARDENED}h` : `${step}`
}

/** What to give instead of a key with a version of its address type (SLIP-132); null for any other text. */
export function findKeyHint(
  text: string,
  { extendedKeyPrefix, extendedKeyVersions }: BitcoinNetwork,
): string | null {
  const use = KEY_USES.get(text.slice(0, 4))
  if (use?.prefix !== extendedKeyPrefix) return null
  if (use.wrapper === null)
    return `${text.slice(0, 4)} keys have wrapped addresses, which we do not support. Please create an account with native segwit addresses, and give its descriptor.`
  let bytes: Uint8Array
  try {
    bytes = decodeExtendedKey(text)
  } catch {
    return null
  }
  if (bytes.length !== EXTENDED_KEY_BYTES) return null
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, extendedKeyVersions.public)
  return `Descriptors have no ${text.slice(0, 4)} keys. Please write ${use.wrapper} with the same key as ${base58check.encode(bytes)}, and its origin before it.`
}

/** How keys of SLIP-132 begin, and the descriptor that has their addresses. */
const KEY_USES = new Map([
  ['zpub', { prefix: 'xpub', wrapper: 'wpkh(…)' }],
  ['Zpub', { prefix: 'xpub', wrapper: 'wsh(sortedmulti(…))' }],
  ['ypub', { prefix: 'xpub', wrapper: null }],
  ['Ypub', { prefix: 'xpub', wrapper: null }],
  ['vpub', { prefix: 'tpub', wrapper: 'wpkh(…)' }],
  ['Vpub', { prefix: 'tpub', wrapper: 'wsh(sortedmulti(…))' }],
  ['upub', { prefix: 'tpub', wrapper: null }],
  ['Upub', { prefix: 'tpub', wrapper: null }],
])

const base58check = createBase58check(sha256)

function checkExtendedKey(text: string, network: BitcoinNetwork): void {
  const { extendedKeyPrefix, extendedKeyVersions } = network
  if (/^0[2-4][0-9a-fA-F]{64,128}$/.test(text)) {
    throw createKeyError(
      `A single public key has only one address. Please give an extended key (${extendedKeyPrefix}…).`,
    )
  }
  let version: number
  try {
    const payload = base58check.decode(text)
    version = new DataView(payload.buffer, payload.byteOffset).getUint32(0)
  } catch {
    throw createKeyError('An extended key is mistyped: its checksum does not match. Please copy it again.')
  }
  const hint = findKeyHint(text, network)
  if (hint !== null) throw new ChainError('wrong_network', hint)
  if (version !== extendedKeyVersions.public) {
    throw new ChainError(
      'wrong_network',
      `Each key must begin with ${extendedKeyPrefix} to belong to this network.`,
    )
  }
  try {
    HDKey.fromExtendedKey(text, extendedKeyVersions)
  } catch {
    throw createKeyError('An extended key is invalid.')
  }
}
