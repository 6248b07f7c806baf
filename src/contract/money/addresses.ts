import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bech32, bech32m, createBase58check, hex } from '@scure/base'
import { NETWORK_LABELS, NETWORKS, type Network, type NetworkFamily, networkFacts } from './coins.ts'

/**
 * What is wrong with a destination on this main network, in a sentence for people, or null when a wallet would take
 * it: BIP 173 and 350 or base58check for Bitcoin, EIP-55 for Ethereum and BNB Smart Chain, base58check for TRON.
 * Addresses of test networks, with a wrong checksum, or that nobody can hold the key of, are refused. One of another
 * network is named as that.
 */
export function addressProblem(network: Network, address: string): string | null {
  if (address.length > LONGEST) return notOne(network)
  const { family } = networkFacts(network)
  const problem = RULES[family].problem(network, address)
  if (problem === null) return null
  const other = NETWORKS.find((each) => {
    const { family: others } = networkFacts(each)
    return others !== family && RULES[others].problem(each, address) === null
  })
  return other ? `This is an address of ${NETWORK_LABELS[other]}, not of ${NETWORK_LABELS[network]}` : problem
}

/**
 * The one way to write this address, for comparing and storing: lower case for Bitcoin's bech32, the EIP-55 mixed case
 * for 0x addresses, unchanged otherwise. Only for an address that has no problem.
 */
export function canonicalAddress(network: Network, address: string): string {
  return RULES[networkFacts(network).family].canonical(address)
}

/** What an address says of itself: which checksum shows that nobody mistyped it, or what is wrong with it. */
export function addressChecksum(network: Network, address: string): { isRight: boolean; words: string } {
  const problem = addressProblem(network, address)
  return problem === null
    ? { isRight: true, words: `${RULES[networkFacts(network).family].checksum(address)}, main network` }
    : { isRight: false, words: problem }
}

const LONGEST = 100

interface AddressRules {
  /** As `addressProblem`, for an address of this family alone. */
  readonly problem: (network: Network, address: string) => string | null
  readonly canonical: (address: string) => string
  /** The name of the checksum that an address carries. */
  readonly checksum: (address: string) => string
}

const isSegwit = (address: string) => /^bc1/i.test(address)

const RULES: Readonly<Record<NetworkFamily, AddressRules>> = {
  bitcoin: {
    problem: (_network, address) => bitcoinProblem(address),
    canonical: (address) => (isSegwit(address) ? address.toLowerCase() : address),
    checksum: (address) => {
      if (!isSegwit(address)) return 'base58check'
      return /^bc1q/i.test(address) ? 'bech32' : 'bech32m'
    },
  },
  ethereum: {
    problem: evmProblem,
    canonical: (address) => withChecksum(address.slice(2).toLowerCase()),
    checksum: () => 'EIP-55',
  },
  tron: {
    problem: (_network, address) => tronProblem(address),
    canonical: (address) => address,
    checksum: () => 'base58check',
  },
}

function notOne(network: Network): string {
  return `This is not ${networkFacts(network).address}`
}

function mistyped(network: Network): string {
  return `This ${NETWORK_LABELS[network]} address is mistyped: its checksum does not match. Please copy it again`
}

const TEST_NETWORK = 'This address belongs to a test network. Please provide one of the main network'
const NOBODYS = 'Nobody holds the key of this address. Anything sent to it would be lost'

const base58check = createBase58check(sha256)
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/

// Version bytes of base58check: pay to public key hash and pay to script hash, on the main and on the test network.
const BITCOIN_VERSIONS = [0x00, 0x05]
const BITCOIN_TEST_VERSIONS = [0x6f, 0xc4]
const TRON_VERSION = 0x41

function bitcoinProblem(address: string): string | null {
  if (/^(tb|bcrt)1/i.test(address)) return TEST_NETWORK
  if (/^bc1/i.test(address)) return segwitProblem(address)
  if (!/^[123mn]/.test(address) || address.length < 26 || address.length > 35 || !BASE58.test(address)) {
    return notOne('btc')
  }
  const payload = attempt(() => base58check.decode(address))
  if (!payload) return mistyped('btc')
  const version = payload[0] ?? -1
  if (payload.length === 21 && BITCOIN_TEST_VERSIONS.includes(version)) return TEST_NETWORK
  if (payload.length !== 21 || !BITCOIN_VERSIONS.includes(version)) return notOne('btc')
  return isZero(payload.subarray(1)) ? NOBODYS : null
}

/** BIP 173 for version 0, BIP 350 for every later one; a version's words under the other's checksum are refused. */
function segwitProblem(address: string): string | null {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return mistyped('btc')
  if (!/^bc1[02-9ac-hj-np-z]+$/i.test(address)) return notOne('btc')
  for (const [coder, isVersion] of SEGWIT) {
    const decoded = attempt(() => coder.decode(address.toLowerCase()))
    if (!decoded) continue
    const [version = -1, ...words] = decoded.words
    const program = attempt(() => coder.fromWords(words))
    if (!program || !isVersion(version) || !isProgram(version, program)) return notOne('btc')
    return isZero(program) ? NOBODYS : null
  }
  return mistyped('btc')
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

function evmProblem(network: Network, address: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return notOne(network)
  const digits = address.slice(2)
  if (/^0+$/.test(digits)) return NOBODYS
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return oneCase || withChecksum(digits.toLowerCase()) === address ? null : mistyped(network)
}

/** EIP-55: a letter is upper case where the Keccak hash of the lower-case digits has a nibble of 8 or more. */
function withChecksum(digits: string): string {
  const hash = hex.encode(keccak_256(new TextEncoder().encode(digits)))
  const mixed = Array.from(digits, (digit, i) => ((hash[i] ?? '0') >= '8' ? digit.toUpperCase() : digit))
  return `0x${mixed.join('')}`
}

function tronProblem(address: string): string | null {
  if (!/^T.{33}$/.test(address) || !BASE58.test(address)) return notOne('usdt-trc20')
  const payload = attempt(() => base58check.decode(address))
  if (!payload) return mistyped('usdt-trc20')
  if (payload.length !== 21 || payload[0] !== TRON_VERSION) return notOne('usdt-trc20')
  return isZero(payload.subarray(1)) ? NOBODYS : null
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/** The decoders throw on a wrong checksum; here that is an answer. */
function attempt<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null
  }
}
