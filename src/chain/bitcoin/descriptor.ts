import { HDKey } from '@scure/bip32'
import { ChainError } from '../chainError.ts'
import { stripChecksum, withChecksum } from './descriptorChecksum.ts'
import {
  type DescriptorKey,
  findKeyHint,
  findOriginProblem,
  parseKey,
  UNKNOWN_FINGERPRINT,
} from './descriptorKey.ts'
import { type BitcoinNetwork, type BitcoinNetworkName, getBitcoinNetwork } from './network.ts'
import { findPrivateKey } from './privateKeys.ts'

export type DescriptorKind = 'wpkh' | 'tr' | 'wsh-sortedmulti'

/** A watch-only wallet: it gives addresses and recognises change, but cannot sign. Plain JSON. */
export interface BitcoinDescriptor {
  network: BitcoinNetworkName
  kind: DescriptorKind
  /** How many of the keys must sign. */
  threshold: number
  keys: DescriptorKey[]
  /** The canonical text with its checksum. It tells two wallets apart. */
  text: string
}

/**
 * Parses an output descriptor (BIP-380): `wpkh(KEY)`, `tr(KEY)` or `wsh(sortedmulti(m,KEY,…))`, each KEY an extended public key with both
 * branches (`/<0;1>/*`). A checksum is verified if it is there. Throws a ChainError that says what to change, above all for anything
 * that looks like a private key.
 */
export function parseDescriptor(text: string, networkName: BitcoinNetworkName): BitcoinDescriptor {
  const secret = findPrivateKey(text)
  if (secret !== null) {
    throw new ChainError(
      'private_key',
      `This text contains ${secret}. Never enter one here. Treat it as stolen and move its coins to a new wallet.`,
    )
  }
  if (text.length > MAXIMUM_LENGTH) throw new ChainError('too_long', 'The descriptor is too long.')
  const network = getBitcoinNetwork(networkName)
  const { kind, threshold, keyTexts } = parseExpression(stripChecksum(text.trim()), network)
  const keys = keyTexts.map((key) => parseKey(key, network))
  checkDifferent(keys)
  if (threshold < 1 || threshold > keys.length) {
    throw new ChainError(
      'bad_threshold',
      'The number of required signatures must be between 1 and the number of keys.',
    )
  }
  return {
    network: networkName,
    kind,
    threshold,
    keys,
    text: withChecksum(buildExpression(kind, threshold, keys)),
  }
}

/** The extended key as an object that derives. Only for keys that `parseKey` accepted. */
export function parseExtendedKey(key: DescriptorKey, network: BitcoinNetworkName): HDKey {
  return HDKey.fromExtendedKey(key.extendedKey, getBitcoinNetwork(network).extendedKeyVersions)
}

/** What may keep hardware from signing payouts of a wallet, for each key. Only for descriptors that `parseDescriptor` accepted. */
export function listDescriptorWarnings(text: string): string[] {
  const { keys } = parseDescriptor(text, /[\](,]tpub/.test(text) ? 'regtest' : 'mainnet')
  return keys.flatMap((key, place) => {
    const problem = findOriginProblem(key)
    if (problem === null) return []
    return [keys.length === 1 ? problem : `Key ${place + 1}: ${problem}`]
  })
}

const MAXIMUM_LENGTH = 4_000
/** Wallets and hardware support no more keys in one script. */
const MAXIMUM_KEYS = 15
const ACCEPTED = 'Accepted are wpkh(KEY), tr(KEY) and wsh(sortedmulti(m,KEY,…)).'

function parseExpression(
  expression: string,
  network: BitcoinNetwork,
): {
  kind: DescriptorKind
  threshold: number
  keyTexts: string[]
} {
  const single = /^(wpkh|tr)\(([^(){},]*)\)$/.exec(expression)
  if (single !== null) {
    return { kind: single[1] === 'tr' ? 'tr' : 'wpkh', threshold: 1, keyTexts: [single[2] ?? ''] }
  }
  const multi = /^wsh\(sortedmulti\((\d{1,2}),([^(){}]*)\)\)$/.exec(expression)
  if (multi === null)
    throw new ChainError(
      'unsupported_descriptor',
      `This descriptor is not supported. ${getHint(expression, network)}`,
    )
  const keyTexts = (multi[2] ?? '').split(',')
  if (keyTexts.length > MAXIMUM_KEYS) {
    throw new ChainError('too_many_keys', `A descriptor may have at most ${MAXIMUM_KEYS} keys.`)
  }
  return { kind: 'wsh-sortedmulti', threshold: Number(multi[1]), keyTexts }
}

function getHint(expression: string, network: BitcoinNetwork): string {
  const key = findKeyHint(expression.replace(/^\[[^\]]*\]|\/.*$/g, ''), network)
  if (key !== null) return key
  if (/^sh\(/.test(expression))
    return 'Wrapped addresses are not supported. Please create an account with native segwit addresses.'
  if (/^tr\(/.test(expression)) return 'Taproot with scripts cannot be used: please give tr(KEY).'
  if (/(?:^|\()multi\(/.test(expression))
    return 'Please use sortedmulti, in which the order of the keys does not matter.'
  return ACCEPTED
}

function buildExpression(kind: DescriptorKind, threshold: number, keys: readonly DescriptorKey[]): string {
  const texts = keys.map(({ text }) => text).join(',')
  return kind === 'wsh-sortedmulti' ? `wsh(sortedmulti(${threshold},${texts}))` : `${kind}(${texts})`
}

/** With two keys of one person, one person could sign for two. */
function checkDifferent(keys: readonly DescriptorKey[]): void {
  const extended = keys.map(({ extendedKey }) => extendedKey)
  const devices = keys.flatMap(({ origin }) =>
    origin === null || origin.fingerprint === UNKNOWN_FINGERPRINT ? [] : [origin.fingerprint],
  )
  if (new Set(extended).size < extended.length) {
    throw new ChainError('duplicate_key', 'The descriptor contains a key twice.')
  }
  if (new Set(devices).size < devices.length) {
    throw new ChainError('duplicate_key', 'Two keys of the descriptor come from the same device.')
  }
}
