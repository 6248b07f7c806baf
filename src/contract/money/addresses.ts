import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bech32, bech32m, createBase58check, hex } from '@scure/base'
import {
  getNetworkFacts,
  NETWORK_LABELS,
  NETWORKS,
  type Network,
  type NetworkFamily,
  TOKEN_CONTRACTS,
} from './coins.ts'

/**
 * Returns the error for a destination on this main network, or null if a wallet would accept it. Refuses what `formatProblem`
 * refuses, and a token's own contract.
 */
export function findAddressProblem(network: Network, address: string): string | null {
  const problem = formatProblem(network, address)
  if (problem !== null) return problem
  return CONTRACTS.has(normalizeAddress(network, address)) ? TOKEN_CONTRACT : null
}

/**
 * Returns the error for an address on this main network, or null: BIP 173 and 350 or base58check for Bitcoin, EIP-55 for Ethereum
 * and BNB Smart Chain, base58check for TRON. Refuses addresses of test networks, with a wrong checksum, or whose key no one can
 * have. The error names the network of an address that belongs to another one.
 */
export function formatProblem(network: Network, address: string): string | null {
  if (address.length > MAX_LENGTH) return describeWrongFormat(network)
  const { family } = getNetworkFacts(network)
  const problem = RULES[family].problem(network, address)
  if (problem === null) return null
  const otherNetwork = NETWORKS.find((candidate) => {
    const otherFamily = getNetworkFacts(candidate).family
    return otherFamily !== family && RULES[otherFamily].problem(candidate, address) === null
  })
  return otherNetwork
    ? `This is an address of ${NETWORK_LABELS[otherNetwork]}, not of ${NETWORK_LABELS[network]}`
    : problem
}

/**
 * The canonical form of an address, for comparing and storing: lower case for Bitcoin's bech32, the EIP-55 mixed case
 * for 0x addresses, unchanged otherwise. Only for valid addresses.
 */
export function normalizeAddress(network: Network, address: string): string {
  return RULES[getNetworkFacts(network).family].canonical(address)
}

/** The checksum that protects an address from typing errors, or the error for an invalid one. */
export function describeChecksum(network: Network, address: string): { isRight: boolean; words: string } {
  const problem = findAddressProblem(network, address)
  return problem === null
    ? { isRight: true, words: `${RULES[getNetworkFacts(network).family].checksum(address)}, main network` }
    : { isRight: false, words: problem }
}

const MAX_LENGTH = 100

interface AddressRules {
  /** As `findAddressProblem`, for this family only. */
  readonly problem: (network: Network, address: string) => string | null
  readonly canonical: (address: string) => string
  readonly checksum: (address: string) => string
}

const isSegwit = (address: string) => /^bc1/i.test(address)

const RULES: Readonly<Record<NetworkFamily, AddressRules>> = {
  bitcoin: {
    problem: (_network, address) => findBitcoinProblem(address),
    canonical: (address) => (isSegwit(address) ? address.toLowerCase() : address),
    checksum: (address) => {
      if (!isSegwit(address)) return 'base58check'
      return /^bc1q/i.test(address) ? 'bech32' : 'bech32m'
    },
  },
  ethereum: {
    problem: findEvmProblem,
    canonical: (address) => withChecksum(address.slice(2).toLowerCase()),
    checksum: () => 'EIP-55',
  },
  tron: {
    problem: (_network, address) => findTronProblem(address),
    canonical: (address) => address,
    checksum: () => 'base58check',
  },
}

/** A wallet on any of these networks may have any address of its family, so all contracts count on all of them. */
const CONTRACTS: ReadonlySet<string> = new Set(Object.values(TOKEN_CONTRACTS))

function describeWrongFormat(network: Network): string {
  return `This is not ${getNetworkFacts(network).address}`
}

function describeTypo(network: Network): string {
  return `This ${NETWORK_LABELS[network]} address is mistyped: its checksum does not match. Please copy it again`
}

const TEST_NETWORK = 'This address belongs to a test network. Please provide one of the main network'
const TOKEN_CONTRACT =
  'This is the contract of a token, not a wallet. Anything sent to it would be lost. Please provide the address of your wallet'
const NO_KEY_HOLDER = 'Nobody holds the key of this address. Anything sent to it would be lost'

const base58check = createBase58check(sha256)
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/

// Version bytes of base58check: pay to public key hash and pay to script hash, on the main and on the test network.
const BITCOIN_VERSIONS = [0x00, 0x05]
const BITCOIN_TEST_VERSIONS = [0x6f, 0xc4]
const TRON_VERSION = 0x41

function findBitcoinProblem(address: string): string | null {
  if (/^(tb|bcrt)1/i.test(address)) return TEST_NETWORK
  if (/^bc1/i.test(address)) return findSegwitProblem(address)
  if (!/^[123mn]/.test(address) || address.length < 26 || address.length > 35 || !BASE58.test(address)) {
    return describeWrongFormat('btc')
  }
  const payload = tryDecode(() => base58check.decode(address))
  if (!payload) return describeTypo('btc')
  const version = payload[0] ?? -1
  if (payload.length === 21 && BITCOIN_TEST_VERSIONS.includes(version)) return TEST_NETWORK
  if (payload.length !== 21 || !BITCOIN_VERSIONS.includes(version)) return describeWrongFormat('btc')
  return isZero(payload.subarray(1)) ? NO_KEY_HOLDER : null
}

/** BIP 173 for version 0, BIP 350 for later versions. Refuses a version with the other one's checksum. */
function findSegwitProblem(address: string): string | null {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return describeTypo('btc')
  if (!/^bc1[02-9ac-hj-np-z]+$/i.test(address)) return describeWrongFormat('btc')
  for (const [coder, isVersion] of SEGWIT) {
    const decoded = tryDecode(() => coder.decode(address.toLowerCase()))
    if (!decoded) continue
    const [version = -1, ...words] = decoded.words
    const program = tryDecode(() => coder.fromWords(words))
    if (!program || !isVersion(version) || !isProgram(version, program)) return describeWrongFormat('btc')
    return isZero(program) ? NO_KEY_HOLDER : null
  }
  return describeTypo('btc')
}

const SEGWIT: [typeof bech32 | typeof bech32m, (version: number) => boolean][] = [
  [bech32, (version) => version === 0],
  [bech32m, (version) => version >= 1 && version <= 16],
]

function isProgram(version: number, program: Uint8Array): boolean {
  return version === 0
    ? program.length === 20 || program.length === 32
    : program.length >= 2 && program.length <= 40
}

function findEvmProblem(network: Network, address: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return describeWrongFormat(network)
  const digits = address.slice(2)
  if (/^0+$/.test(digits)) return NO_KEY_HOLDER
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return oneCase || withChecksum(digits.toLowerCase()) === address ? null : describeTypo(network)
}

/** EIP-55: a letter is upper case where the Keccak hash of the lower-case digits has a nibble of 8 or more. */
function withChecksum(digits: string): string {
  const hash = hex.encode(keccak_256(new TextEncoder().encode(digits)))
  const mixed = Array.from(digits, (digit, i) => ((hash[i] ?? '0') >= '8' ? digit.toUpperCase() : digit))
  return `0x${mixed.join('')}`
}

function findTronProblem(address: string): string | null {
  if (!/^T.{33}$/.test(address) || !BASE58.test(address)) return describeWrongFormat('usdt-trc20')
  const payload = tryDecode(() => base58check.decode(address))
  if (!payload) return describeTypo('usdt-trc20')
  if (payload.length !== 21 || payload[0] !== TRON_VERSION) return describeWrongFormat('usdt-trc20')
  return isZero(payload.subarray(1)) ? NO_KEY_HOLDER : null
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/** Returns null on a wrong checksum, where the decoders throw. */
function tryDecode<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null
  }
}
