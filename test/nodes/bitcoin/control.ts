import { remote } from '../remote.ts'

/** What a test can do to the bitcoin node beyond its Esplora interface. Amounts are satoshis, fee rates satoshis per virtual byte. */
export interface BitcoinControl {
  /** Mines blocks with what is in the mempool, and returns their hashes. The reward goes to the test wallet by default. */
  mine(blocks: number, toAddress?: string): Promise<string[]>
  /** Pays from the test wallet and returns the transaction's id. It stays in the mempool until `mine`. */
  pay(address: string, satoshi: number, options?: PayOptions): Promise<string>
  /** Pays many addresses in one transaction, in this order of its outputs. */
  payMany(payments: readonly Payment[], options?: PayOptions): Promise<string>
  /** Replaces an unconfirmed payment of the test wallet by one with a higher fee, and returns the new id. */
  replace(txid: string, options?: ReplaceOptions): Promise<string>
  /** Mines a block that spends the coins of an unconfirmed payment elsewhere, and returns the other transaction's id. */
  doubleSpend(txid: string): Promise<string>
  /**
   * Replaces the newest `depth` blocks by `depth + 1` others, and returns the hashes of the new ones. Transactions of the old
   * blocks return to the mempool, except those that `options` names.
   */
  reorganise(depth: number, options?: ReorganiseOptions): Promise<string[]>
  /** Adds a transaction to the mempool, as `POST /tx` does. */
  broadcast(hex: string): Promise<string>
  /** Sets the answer of `/fee-estimates`: the rate by the number of blocks. */
  estimateFees(rates: Readonly<Record<string, number>>): Promise<void>
}

export interface Payment {
  readonly address: string
  readonly satoshi: number
}

export interface PayOptions {
  /** 10 by default. */
  readonly feeRate?: number
  /** Signals BIP 125, by default. The node replaces others as well. */
  readonly replaceable?: boolean
}

export interface ReplaceOptions {
  /** By default enough to replace it. */
  readonly feeRate?: number
  /** Pays this address instead of the first output's. Without it the outputs stay. */
  readonly to?: string
}

export interface ReorganiseOptions {
  /** Transactions that are mined again, in the first of the new blocks, with those that they spend. */
  readonly keep?: readonly string[]
  /**
   * Transactions that never come back. For payments of the test wallet the first of the new blocks has another transaction with
   * the same inputs; others are removed from the mempool.
   */
  readonly drop?: readonly string[]
}

/** The control of a running node by its base URL. Needs nothing but `fetch`, so it works in workerd too. */
export const bitcoinControl = (url: string): BitcoinControl =>
  remote<BitcoinControl>(url, [
    'mine',
    'pay',
    'payMany',
    'replace',
    'doubleSpend',
    'reorganise',
    'broadcast',
    'estimateFees',
  ])
