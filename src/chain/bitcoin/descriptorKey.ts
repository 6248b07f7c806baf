import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { ChainError } from '../chainError.ts'
import type { BitcoinNetwork } from './network.ts'

/** An extended public key in a descriptor. Plain JSON. */
export interface DescriptorKey {
  /** Fingerprint of the master key (8 hexadecimal digits) and the steps from it to `extendedKey`; null if not given. */
  origin: { fingerprint: string; path: number[] } | null
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

function createKeyError(message: string): ChainError {
  return new ChainError('bad_key', message)
}

function parseOrigin(text: string): { fingerprint: string; path: number[] } {
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
