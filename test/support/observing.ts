import type { DatabaseSync } from 'node:sqlite'
import { HDKey } from '@scure/bip32'
import { getCoinOfNetwork } from '../../src/contract/money/coins.ts'
import type { ProvedNetwork } from '../../src/contract/money/payments.ts'
import { loadOwnWallets } from '../../worker/chains/addresses/addresses.ts'
import { observePayments } from '../../worker/chains/follow/observe.ts'
import type { ActorCall } from '../../worker/http/call.ts'
import { type Database, openDatabase, runBatch } from '../../worker/lib/database.ts'
import type { Env } from '../../worker/lib/env.ts'
import { setRuntime } from '../../worker/lib/runtime.ts'
import { chanceOf } from '../simulator/lane/chance.ts'
import { openSqlite } from '../simulator/lane/sqlite.ts'
import { approvedWalletsSql } from './chainPeople.ts'
import { person } from './ledger/records.ts'

/** The Worker's payment job beside servers of chains: its own code over a database in memory, and a clock that a test moves. */
export interface Observing {
  readonly env: Env
  readonly db: Database
  now(): number
  /** Runs the job once, a minute after the last time. Failures are thrown. */
  tick(): Promise<void>
  /** Lets time pass without a tick. */
  pass(ms: number): void
  rows<Row>(sql: string, ...params: (string | number | null)[]): Promise<Row[]>
  /** Opens an account of somebody who may deposit. */
  investor(): Promise<string>
  /** The current own address on a network. */
  addressOf(investor: string, network: ProvedNetwork): Promise<string>
  /** Files an announced deposit with a quote, as the endpoint does. Returns its id. */
  announce(
    investor: string,
    network: ProvedNetwork,
    address: string,
    cents: number,
    units: bigint,
    rate: string,
  ): Promise<string>
  payments(investor: string): Promise<PaymentFacts[]>
  /** Cents that are available. */
  available(investor: string): Promise<number>
  readonly logs: readonly string[]
  close(): void
}

export interface PaymentFacts {
  readonly network: string
  readonly reference: string
  readonly state: string
  readonly reason: string | null
  readonly quantity: string
  readonly amount: number | null
  readonly rule: string | null
  readonly confirmations: number
  readonly request: string | null
}

/** New keys for each platform: an address of another test must not be given again. */
function newWallets(): { bitcoin: string; ethereum: string } {
  const seed = crypto.getRandomValues(new Uint8Array(32))
  const regtest = HDKey.fromMasterSeed(seed, { public: 0x043587cf, private: 0x04358394 })
  return {
    bitcoin: `wpkh(${regtest.derive("m/84'/1'/0'").publicExtendedKey}/<0;1>/*)`,
    ethereum: HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey,
  }
}

export interface Settings {
  readonly bitcoin?: readonly [string, string]
  readonly ethereum?: readonly [string, string]
  /** The watch-only wallets, by default with new keys. */
  readonly wallets?: { readonly bitcoin: string; readonly ethereum: string }
  /** `usdt:0x… usdc:0x…`. */
  readonly tokens?: string
  /** Sees the statements of each round trip. */
  readonly queries?: (
    queries: readonly { readonly sql: string; readonly params: readonly unknown[] }[],
  ) => void
  /** Answers instead of the network. */
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>
}

/** Prices that the job credits at, in USD. */
export const RATES = { bitcoin: 64_200, ethereum: 3_150, tether: 1, 'usd-coin': 1 } as const

export async function observe({
  bitcoin,
  ethereum,
  tokens,
  wallets = newWallets(),
  queries = () => {},
  fetch: answer = fetch,
}: Settings): Promise<Observing> {
  let nowMs = Date.now()
  const chance = chanceOf('payments')
  const database = openSqlite({ now: () => nowMs, chance: () => chance }, prepare)
  const logs: string[] = []
  const restore = setRuntime({
    now: () => nowMs,
    fill: (bytes) => crypto.getRandomValues(bytes),
    wait: async () => {},
    timeout: (ms) => AbortSignal.timeout(ms),
    fetch: (address, init) => answer(address, init),
    derivePassword: null,
  })
  const env = {
    DB: database.bind((sent, execute) => {
      queries(sent)
      return execute()
    }),
    APP_ENV: 'development',
    PUBLIC_ORIGIN: 'http://localhost:8787',
    MAIL_FROM: 'Evenkeel <no-reply@evenkeel.test>',
    VAULT_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
    BITCOIN_SERVERS: bitcoin?.join(' '),
    BITCOIN_NETWORK: 'regtest',
    ETHEREUM_SERVERS: ethereum?.join(' '),
    ETHEREUM_CHAIN_ID: '31337',
    ETHEREUM_TOKENS: tokens,
  } as unknown as Env
  const db = openDatabase(env.DB)
  const rows = database.rows
  const own = console.error
  console.error = (line: unknown) => {
    logs.push(String(line))
  }
  if (bitcoin) await watch(rows, 'bitcoin', wallets.bitcoin, nowMs)
  if (ethereum) await watch(rows, 'ethereum', wallets.ethereum, nowMs)
  let people = 0
  return {
    env,
    db,
    now: () => nowMs,
    logs,
    rows,
    pass: (ms) => {
      nowMs += ms
    },
    tick: async () => {
      nowMs += 60_000
      await observePayments(env, db, nowMs)
    },
    investor: async () => {
      const id = `investor-${++people}`
      await runBatch(db, person(db, id, 'investor'))
      return id
    },
    addressOf: async (investor, network) => {
      const actor = { id: investor, role: 'investor', kycRequired: false, kyc: 'none' }
      const { addresses } = await loadOwnWallets({ env, db, nowMs, actor } as unknown as ActorCall)
      return addresses.find((each) => each.network === network)?.address ?? ''
    },
    announce: async (investor, network, address, cents, units, rate) => {
      const id = crypto.randomUUID()
      await rows(
        "INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at) VALUES (?, ?, ?, 'deposit', 'deposits', ?, ?, ?)",
        id,
        `DEP-${id.slice(0, 8)}`,
        investor,
        cents,
        cents,
        nowMs,
      )
      const coin = getCoinOfNetwork(network)
      await rows(
        "INSERT INTO deposit_details (request, coin, network, payment_to, receipt_key, receipt_type) VALUES (?, ?, ?, ?, '', '')",
        id,
        coin,
        network,
        address,
      )
      await rows(
        'INSERT INTO deposit_quotes (request, address, network, units, rate, until) VALUES (?, ?, ?, CAST(? AS INTEGER), ?, ?)',
        id,
        address,
        network,
        units.toString(),
        rate,
        nowMs + 30 * 60_000,
      )
      return id
    },
    payments: (investor) =>
      rows<PaymentFacts>(
        'SELECT network, reference, state, reason, quantity, amount, rule, confirmations, request FROM payments WHERE investor = ? ORDER BY seq',
        investor,
      ),
    available: async (investor) => {
      const [row] = await rows<{ balance: number }>(
        'SELECT balance FROM accounts WHERE id = ?',
        `${investor}:available`,
      )
      return row?.balance ?? 0
    },
    close: () => {
      console.error = own
      restore()
      database.close()
    },
  }

  function prepare(prepared: DatabaseSync): void {
    prepared.exec(`
      INSERT INTO users (id, role, operator_roles, email, fullname, display_name, phone, country, password_hash, created_at, referral_code)
        VALUES ('operator', 'operator', 'treasurer administrator', 'operator@example.com', '', '', '', '', '', 0, 'operator');
      ${approvedWalletsSql('operator')}`)
  }
}

async function watch(
  rows: Observing['rows'],
  chain: string,
  descriptor: string,
  nowMs: number,
): Promise<void> {
  await rows(
    'INSERT INTO watch_wallets (id, chain, descriptor, proposal, created_at) VALUES (?, ?, ?, ?, ?)',
    chain,
    chain,
    descriptor,
    chain,
    nowMs,
  )
}
