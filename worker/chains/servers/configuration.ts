import { TOKENS } from '../../../src/chain/ethereum/tokens.ts'
import type { Network } from '../../../src/contract/money/coins.ts'
import type { Chain, ProvedNetwork } from '../../../src/contract/money/payments.ts'
import type { Site } from '../../../src/site.ts'
import { type Env, isDevelopment, isMoneyReal } from '../../lib/env.ts'

/** The servers of Bitcoin, and the chain that they must serve. */
export interface BitcoinConfiguration {
  /** Base URLs of two Esplora servers, without a slash at the end. */
  readonly servers: readonly [string, string]
  readonly network: 'mainnet' | 'regtest'
  /** The block from which headers are checked; null: the built-in one. */
  readonly checkpoint: { readonly height: number; readonly hash: string } | null
}

/** The servers of Ethereum, and the chain that they must serve. */
export interface EthereumConfiguration {
  readonly servers: readonly [string, string]
  readonly chainId: number
  /** The contracts of tokens that are taken, in lower case, with their network. */
  readonly tokens: Readonly<Record<string, ProvedNetwork>>
}

/** The configuration of Bitcoin; null if it has no servers. Throws if it is malformed: `isBitcoinConfigured` is checked first. */
export function getBitcoinConfiguration(env: Env): BitcoinConfiguration | null {
  return requireParsed('bitcoin', parseBitcoin(env))
}

export function getEthereumConfiguration(env: Env): EthereumConfiguration | null {
  return requireParsed('ethereum', parseEthereum(env))
}

/**
 * The contract of the token that counts on a network, in lower case: its issuer's while Ethereum has no servers. Null for a network of coins.
 */
export function findTokenContract(env: Env, network: Network): string | null {
  const tokens = getEthereumConfiguration(env)?.tokens ?? parseTokens(1, '') ?? {}
  return Object.keys(tokens).find((contract) => tokens[contract] === network) ?? null
}

/** The chains that have servers. */
export function listChains(env: Env): Chain[] {
  return [
    ...(getBitcoinConfiguration(env) === null ? [] : (['bitcoin'] as const)),
    ...(getEthereumConfiguration(env) === null ? [] : (['ethereum'] as const)),
  ]
}

/**
 * Whether the settings of Bitcoin are absent or well formed. Outside development servers need live mode: a simulated platform must not
 * lead investors to send real money.
 */
export function isBitcoinConfigured(env: Env, mode: Site['mode']): boolean {
  return canObserve(parseBitcoin(env), env, mode)
}

export function isEthereumConfigured(env: Env, mode: Site['mode']): boolean {
  return canObserve(parseEthereum(env), env, mode)
}

function canObserve(parsed: object | null | undefined, env: Env, mode: Site['mode']): boolean {
  return parsed === null || (parsed !== undefined && (isDevelopment(env) || isMoneyReal(env, mode)))
}

const TOKEN_NETWORKS: Readonly<Record<string, ProvedNetwork>> = { usdt: 'usdt-erc20', usdc: 'usdc-erc20' }
const PERIOD_BLOCKS = 2016

/** Undefined if it is malformed, null if there are no servers. */
function parseBitcoin(env: Env): BitcoinConfiguration | null | undefined {
  const { BITCOIN_NETWORK: network = '', BITCOIN_CHECKPOINT: checkpoint = '' } = env
  const servers = parseServers(env, env.BITCOIN_SERVERS)
  if (servers === null || servers === undefined) return servers
  const name = network === '' ? 'mainnet' : network
  // Coins of a test network have no value.
  if (name !== 'mainnet' && !(name === 'regtest' && isDevelopment(env))) return undefined
  const [, height, hash] = /^(\d{1,9}):([0-9a-f]{64})$/.exec(checkpoint) ?? []
  if (checkpoint !== '' && (hash === undefined || Number(height) % PERIOD_BLOCKS !== 0)) return undefined
  return { servers, network: name, checkpoint: hash === undefined ? null : { height: Number(height), hash } }
}

function parseEthereum(env: Env): EthereumConfiguration | null | undefined {
  const { ETHEREUM_CHAIN_ID: chainId = '', ETHEREUM_TOKENS: tokens = '' } = env
  const servers = parseServers(env, env.ETHEREUM_SERVERS)
  if (servers === null || servers === undefined) return servers
  if (!/^\d{0,15}$/.test(chainId)) return undefined
  const chain = chainId === '' ? 1 : Number(chainId)
  const contracts = parseTokens(chain, tokens)
  return contracts === undefined ? undefined : { servers, chainId: chain, tokens: contracts }
}

/** Every token needs a contract of its own: a named one, or its issuer's on this chain. */
function parseTokens(chainId: number, named: string): EthereumConfiguration['tokens'] | undefined {
  const contracts = new Map(
    TOKENS.filter((token) => token.chainId === chainId).map(({ symbol, contract }) => [
      symbol.toLowerCase(),
      contract.toLowerCase(),
    ]),
  )
  for (const word of splitWords(named)) {
    const [, name = '', contract] = /^([a-z]+):(0x[0-9a-fA-F]{40})$/.exec(word) ?? []
    if (contract === undefined || !Object.hasOwn(TOKEN_NETWORKS, name)) return undefined
    contracts.set(name, contract.toLowerCase())
  }
  const tokens = Object.fromEntries(
    Object.entries(TOKEN_NETWORKS).map(([name, network]) => [contracts.get(name) ?? '', network]),
  )
  const isWhole = contracts.size === Object.keys(TOKEN_NETWORKS).length
  return isWhole && new Set(contracts.values()).size === contracts.size ? tokens : undefined
}

/** Servers of two different hosts, because a server cannot confirm its own answers. Only development may use HTTP, or two ports of one host. */
function parseServers(env: Env, value = ''): readonly [string, string] | null | undefined {
  const words = splitWords(value)
  if (words.length === 0) return null
  const [first, second] = words.map((word) => word.replace(/\/+$/, ''))
  if (first === undefined || second === undefined || words.length !== 2) return undefined
  if (!isServer(env, first) || !isServer(env, second)) return undefined
  const name = isDevelopment(env) ? 'host' : 'hostname'
  return new URL(first)[name] === new URL(second)[name] ? undefined : [first, second]
}

function isServer(env: Env, address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, search, hash } = new URL(address)
  return (
    (protocol === 'https:' || (protocol === 'http:' && isDevelopment(env))) && search === '' && hash === ''
  )
}

function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '')
}

function requireParsed<T>(name: string, parsed: T | undefined): T {
  if (parsed === undefined) throw new Error(`The configuration of ${name} is malformed.`)
  return parsed
}
