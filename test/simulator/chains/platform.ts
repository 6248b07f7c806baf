import type { DatabaseSync } from 'node:sqlite'
import { decodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import type { DescriptorKind } from '../../../src/chain/bitcoin/descriptor.ts'
import {
  depositAddress,
  deriveTreasuryAddress,
  parseAccountKey,
} from '../../../src/chain/ethereum/account.ts'
import type { ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { BASE_KINDS, buildAccountId } from '../../../worker/ledger/accounts.ts'
import { type Database, openDatabase } from '../../../worker/lib/database.ts'
import { type TestWallet, testWallet } from '../../support/bitcoinWallet.ts'
import { approvedWalletsSql, openCodeSession } from '../../support/chainPeople.ts'
import { testAccount } from '../../support/ethereumChain.ts'
import { type Chance, chanceOf } from '../lane/chance.ts'
import type { FaultLevel } from '../lane/faults.ts'
import { priceOf } from '../lane/prices.ts'
import { imageOf, openSqlite } from '../lane/sqlite.ts'
import { buildWorld, NoAnswer, ORIGIN, type World } from '../lane/world.ts'
import { BitcoinChain } from './bitcoin.ts'
import { CHAIN_ID, EthereumChain, USDC, USDT } from './ethereum.ts'
import type { OwnAddress } from './lies.ts'
import { type ChainName, openServers, SERVERS, type Servers } from './servers.ts'

export const INVESTORS = ['ana', 'ben', 'cleo'] as const
export type Investor = (typeof INVESTORS)[number]
/** One approves withdrawals, the other one pays them. */
export type Operator = 'approver' | 'payer'

export const COINS = { btc: 'bitcoin', eth: 'ethereum', 'usdt-erc20': 'usdt', 'usdc-erc20': 'usdc' } as const
export const MARKET_IDS = {
  btc: 'bitcoin',
  eth: 'ethereum',
  'usdt-erc20': 'tether',
  'usdc-erc20': 'usd-coin',
} as const

/** An address that an investor was shown. */
export interface GivenAddress extends OwnAddress {
  readonly investor: Investor
  readonly chain: ChainName
}

/** The platform beside two simulated chains, with three investors and two operators. */
export interface Platform {
  readonly world: World
  readonly bitcoin: BitcoinChain
  readonly ethereum: EthereumChain
  readonly servers: Servers
  readonly chance: Chance
  readonly wallet: TestWallet
  /** The Ethereum account whose keys the operators' hardware has, and its treasury. */
  readonly account: number
  readonly treasury: string
  readonly given: readonly GivenAddress[]
  /** Honest prices that the provider gave, with their times. */
  readonly prices: readonly {
    readonly network: ProvedNetwork
    readonly price: number
    readonly atMs: number
  }[]
  /** Transactions of the platform that a server took. */
  readonly sent: readonly Sent[]
  /** The database past all failures. */
  readonly db: Database
  rows<Row>(sql: string, ...params: (string | number | null)[]): Promise<Row[]>
  /** Sends a request. Status 0 if the Worker was killed. */
  call(
    who: Investor | Operator,
    method: 'GET' | 'POST',
    path: string,
    body?: object | FormData,
    key?: string,
  ): Promise<Reply>
  /** Shows an investor their own addresses. Returns that of the network, or null. */
  address(investor: Investor, network: ProvedNetwork): Promise<GivenAddress | null>
  close(): void
}

/** A transaction that a server took, with the coins that it spends at that moment. */
export interface Sent {
  readonly chain: ChainName
  readonly raw: string
  readonly spends: readonly { readonly script: string; readonly value: bigint }[]
}

export interface Reply {
  readonly status: number
  readonly body: unknown
}

const START_MS = Date.UTC(2026, 0, 5, 8)
const KINDS: readonly [DescriptorKind, DescriptorKind, DescriptorKind] = ['wpkh', 'tr', 'wsh-sortedmulti']
const ACCOUNT = 7
/** Positions of a wallet that a run can reach. */
const POSITIONS = 60

/** Derived once: the wallets are the same in every run. */
const wallets = new Map<DescriptorKind, TestWallet>()
const scripts = new Map<string, string>()
let image: Uint8Array | null = null

export async function openPlatform(seed: number, faults: FaultLevel): Promise<Platform> {
  const chance = chanceOf(seed, 'chains')
  const kind = chance.pick(KINDS)
  const wallet = wallets.get(kind) ?? testWallet(kind, { name: 'simulated' })
  wallets.set(kind, wallet)
  const account = parseAccountKey(testAccount(ACCOUNT))
  const treasury = deriveTreasuryAddress(account).toLowerCase()
  const bitcoin = new BitcoinChain(chanceOf(seed, 'bitcoin'), START_MS)
  const ethereum = new EthereumChain(chanceOf(seed, 'ethereum'), START_MS)
  const given: GivenAddress[] = []
  const prices: Platform['prices'][number][] = []
  const sent: Sent[] = []
  // Opened before the world, which passes its network calls to them.
  let world: World | null = null
  const servers = openServers({
    bitcoin,
    ethereum,
    chance: chanceOf(seed, 'servers'),
    own: (chain) => given.filter((each) => each.chain === chain),
    pass: (ms) => world?.pass(ms),
    sent: (chain, raw) => sent.push({ chain, raw, spends: chain === 'bitcoin' ? bitcoin.spentBy(raw) : [] }),
  })
  const opened = buildWorld({
    seed,
    startMs: START_MS,
    faults,
    open: (surroundings) => {
      image ??= imageOf(START_MS, prepare)
      return openSqlite(surroundings, () => {}, image)
    },
    isSynchronous: true,
    settings: {
      APP_ENV: 'development',
      RATE_LIMITS: 'off',
      BITCOIN_SERVERS: SERVERS.bitcoin.join(' '),
      BITCOIN_NETWORK: 'regtest',
      ETHEREUM_SERVERS: SERVERS.ethereum.join(' '),
      ETHEREUM_CHAIN_ID: String(CHAIN_ID),
      // Nobody pays in USDC.
      ETHEREUM_TOKENS: `usdt:${USDT} usdc:${USDC}`,
    },
    network: (address, init) => {
      if (address.includes('/coins/markets')) {
        const atMs = opened.now()
        for (const network of ['btc', 'eth', 'usdt-erc20'] as const)
          prices.push({ network, price: priceOf(MARKET_IDS[network], atMs), atMs })
      }
      return servers.answer(address, init)
    },
  })
  world = opened
  const { database } = opened
  const db = openDatabase(database.bind((_queries, execute) => execute()))
  const tokens = new Map<Investor | Operator, string>()
  await database.rows(
    `INSERT INTO watch_wallets (id, chain, descriptor, proposal, created_at)
     VALUES ('bitcoin', 'bitcoin', ?, 'bitcoin', ?), ('ethereum', 'ethereum', ?, 'ethereum', ?)`,
    wallet.descriptor.text,
    START_MS,
    testAccount(ACCOUNT),
    START_MS,
  )
  for (const who of [...INVESTORS, 'approver', 'payer'] as const) {
    const isOperator = who === 'approver' || who === 'payer'
    tokens.set(who, await openCodeSession(db, VAULT_KEYS, who, { nowMs: START_MS, isOperator }))
  }
  const call: Platform['call'] = async (who, method, path, body, key) => {
    // Whoever acts here has shown a code. Sessions and their codes are what the other people of the simulator are about.
    await database.rows('UPDATE sessions SET factor_at = ?, last_seen_at = ?', opened.now(), opened.now())
    const isForm = body instanceof FormData
    const request = new Request(`${ORIGIN}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${tokens.get(who)}`,
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    try {
      const { status, text } = await opened.send(request)
      return { status, body: text === '' ? null : JSON.parse(text) }
    } catch (error) {
      if (error instanceof NoAnswer) return { status: 0, body: null }
      throw error
    }
  }
  return {
    world: opened,
    bitcoin,
    ethereum,
    servers,
    chance,
    wallet,
    account: ACCOUNT,
    treasury,
    given,
    prices,
    sent,
    db,
    rows: (sql, ...params) => database.rows(sql, ...params),
    call,
    address: async (investor, network) => {
      const { status, body } = await call(investor, 'GET', '/admin-wallets')
      if (status !== 200) return null
      for (const shown of body as { network: ProvedNetwork; address: string; own?: true }[]) {
        if (shown.own !== true || given.some(({ address }) => address === shown.address)) continue
        const chain = shown.network === 'btc' ? 'bitcoin' : 'ethereum'
        if (!isOfWallet(wallet, shown)) throw new Error(`${shown.address} is no address of the wallet.`)
        const script = chain === 'bitcoin' ? decodeAddress(shown.address, 'regtest') : ''
        given.push({ address: shown.address, script, investor, chain })
      }
      const found = (body as { network: ProvedNetwork; address: string }[]).find(
        (each) => each.network === network,
      )
      return given.find(({ address }) => address === found?.address) ?? null
    },
    close: () => opened.close(),
  }

  /** Whether hardware with the keys could spend what arrives at an address. */
  function isOfWallet(
    own: TestWallet,
    { network, address }: { network: ProvedNetwork; address: string },
  ): boolean {
    const positions = Array.from({ length: POSITIONS }, (_, position) => position)
    return network === 'btc'
      ? positions.some((position) => bitcoinAddress(own, position, 'receive') === address)
      : positions.some((position) => depositAddressAt(position) === address)
  }

  function depositAddressAt(position: number): string {
    const known = scripts.get(`ethereum ${position}`) ?? depositAddress(account, position)
    scripts.set(`ethereum ${position}`, known)
    return known
  }
}

/** The wallet's address at a position, from its keys. */
export function bitcoinAddress(wallet: TestWallet, position: number, branch: 'receive' | 'change'): string {
  const name = `${wallet.descriptor.kind} ${branch} ${position}`
  const known = scripts.get(name) ?? wallet.address(position, branch)
  scripts.set(name, known)
  return known
}

const VAULT_KEYS = `1:${Buffer.alloc(32, 1).toString('base64')}`

function prepare(database: DatabaseSync): void {
  // Who these people are is not what these runs are about.
  database.exec('DROP TRIGGER users_appointed')
  const insertUser = database.prepare(
    `INSERT INTO users (id, role, operator_roles, email, fullname, display_name, phone, country, password_hash, created_at, referral_code, email_verified_at, kyc_status)
     VALUES (?1, ?2, ?3, ?1 || '@example.com', ?1, ?1, '', '', '-', ?4, ?1, ?4, 'approved')`,
  )
  const insertAccount = database.prepare('INSERT INTO accounts (id, owner, kind) VALUES (?, ?, ?)')
  for (const operator of ['approver', 'payer']) insertUser.run(operator, 'operator', 'treasurer', START_MS)
  for (const investor of INVESTORS) {
    insertUser.run(investor, 'investor', '', START_MS)
    for (const kind of BASE_KINDS) insertAccount.run(buildAccountId(investor, kind), investor, kind)
  }
  database.exec(approvedWalletsSql('approver'))
}
