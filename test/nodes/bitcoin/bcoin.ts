import Module from 'node:module'
import { requireTestPackage } from '../../packages/packages.ts'

// The parts of bcoin 1.0.2 in use. Hashes are in the internal byte order, except those named `rhash` and `txid`.

export interface BcoinTx {
  readonly inputs: readonly { readonly prevout: { readonly hash: string; readonly index: number } }[]
  hash(encoding: 'hex'): string
  isCoinbase(): boolean
  toRaw(): Uint8Array
  txid(): string
}

export interface BcoinBlock {
  readonly txs: readonly BcoinTx[]
  toRaw(): Uint8Array
}

export interface BcoinEntry {
  readonly height: number
  readonly hash: string
  rhash(): string
}

interface BcoinMempoolEntry {
  readonly tx: BcoinTx
}

/** Only its identity matters. */
type BcoinAddress = Readonly<Record<string, unknown>>

interface BcoinTemplate {
  items: unknown[]
  fees: number
  pushTX(tx: BcoinTx): boolean
  refresh(): void
}

export interface BcoinNode {
  readonly chain: {
    readonly tip: BcoinEntry
    open(): Promise<void>
    add(block: BcoinBlock): Promise<BcoinEntry | null>
    getBlock(hash: string): Promise<BcoinBlock>
    getEntryByHeight(height: number): Promise<BcoinEntry>
  }
  readonly mempool: {
    readonly map: ReadonlyMap<string, BcoinMempoolEntry>
    open(): Promise<void>
    /** Resolves to the hashes of missing parents, or null if the transaction was added. */
    addTX(tx: BcoinTx): Promise<readonly string[] | null>
    evictEntry(entry: BcoinMempoolEntry): void
    getEntry(hash: string): BcoinMempoolEntry | null
    getSpent(hash: string, index: number): BcoinMempoolEntry | null
    removeOrphan(hash: string): void
    verifyInputs(tx: BcoinTx, view: unknown, flags: number): Promise<void>
  }
  readonly miner: {
    open(): Promise<void>
    readonly cpu: {
      createJob(tip: BcoinEntry | null, address: BcoinAddress): Promise<{ readonly attempt: BcoinTemplate }>
      mineAsync(job: { readonly attempt: BcoinTemplate }): Promise<BcoinBlock>
    }
  }
  handlePreopen(): Promise<void>
  on(event: 'connect' | 'disconnect', listener: (entry: BcoinEntry, block: BcoinBlock) => void): void
}

interface Bcoin {
  readonly Address: { fromScript(script: unknown): BcoinAddress }
  readonly FullNode: new (options: Readonly<Record<string, unknown>>) => BcoinNode
  readonly Network: { get(name: 'regtest'): { minerWindow: number; activationThreshold: number } }
  readonly Script: {
    fromRaw(hex: string, encoding: 'hex'): unknown
    readonly flags: Readonly<Record<string, number>>
  }
  readonly TX: { fromRaw(hex: string, encoding: 'hex'): BcoinTx }
}

/** Loads bcoin without native modules. Call it only in a process of its own: bcoin changes the environment. */
export function loadBcoin(): Bcoin {
  // Its cryptography otherwise looks for native modules, which are not compiled here.
  process.env.NODE_BACKEND = 'js'
  // Its database loads LevelDB even for a database in memory.
  const path = requireTestPackage.resolve('leveldown')
  const unused = new Module(path)
  unused.loaded = true
  requireTestPackage.cache[path] = unused
  return requireTestPackage('bcoin') as Bcoin
}
