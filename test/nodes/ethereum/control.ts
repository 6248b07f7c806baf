import { keccak_256 } from '@noble/hashes/sha3.js'

export type Hex = `0x${string}`

/** What a test can do to the Ethereum node beyond its JSON-RPC interface. Amounts are in the smallest unit. */
export interface EthereumControl {
  /** Calls a JSON-RPC method. Throws the error's message. */
  rpc<T>(method: string, ...parameters: readonly unknown[]): Promise<T>
  /** Accounts with 10,000 ether each, for which the node signs. The first one deployed the contracts and has all tokens. */
  readonly accounts: readonly Hex[]
  readonly contracts: Readonly<Record<Contract, Hex>>
  /** Mines blocks with what is in the pool, and returns their hashes. */
  mine(blocks: number): Promise<Hex[]>
  /** Mines until the present tip is finalised: see `EPOCH_BLOCKS`. */
  finalise(): Promise<void>
  /** Sends a transaction and returns its hash. It stays in the pool until `mine`. */
  send(transaction: Sent): Promise<Hex>
  /** Sends ether, from the second account by default. */
  payNative(to: string, wei: bigint, from?: Hex): Promise<Hex>
  /** Calls a token's `transfer`, from the first account by default. */
  payToken(token: string, to: string, amount: bigint, from?: Hex): Promise<Hex>
  /** Sends ether through the forwarder, so that the recipient gets it by an internal call. */
  payThroughForwarder(to: string, wei: bigint): Promise<Hex>
  /** Replaces a pending transaction by one with the same nonce, twice the fees and these changes. Returns the new hash. */
  replace(hash: Hex, changes?: Partial<Pick<Sent, 'to' | 'value' | 'data'>>): Promise<Hex>
  /**
   * Replaces the newest `depth` blocks by `depth + 1` others, and returns the hashes of the new ones. Transactions of the old
   * blocks return to the pool. `keep` names those that the first of the new blocks has again. `drop` names those that never come
   * back: it has another transaction with the same nonce if the sender is one of `accounts`. Earlier ones of their senders are
   * kept too.
   */
  reorganise(
    depth: number,
    options?: { readonly keep?: readonly Hex[]; readonly drop?: readonly Hex[] },
  ): Promise<Hex[]>
}

/** `usdt` and `usdc` are honest. `fakeUsdt` is another one with USDT's code, name and symbol. */
export type Contract = 'usdt' | 'usdc' | 'fakeUsdt' | 'emptyTransfer' | 'forwarder'

export interface Sent {
  readonly from: Hex
  readonly to?: string
  readonly value?: bigint
  readonly data?: Hex
  /** Without it the node estimates, and refuses a transaction that would fail. */
  readonly gas?: number
}

/** anvil answers `safe` with the block this many below the tip, and `finalized` with the one twice as many below. */
export const EPOCH_BLOCKS = 4

interface BlockOfNode {
  readonly hash: Hex
  readonly transactions: readonly TransactionOfNode[]
}

interface TransactionOfNode {
  readonly hash: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly nonce: Hex
  readonly value: Hex
  readonly input: Hex
  readonly maxFeePerGas: Hex
  readonly maxPriorityFeePerGas: Hex
}

/** The control of a running node by its base URL. Needs nothing but `fetch`, so it works in workerd too. */
export function ethereumControl(
  url: string,
  { accounts, contracts }: Pick<EthereumControl, 'accounts' | 'contracts'>,
): EthereumControl {
  const rpc: EthereumControl['rpc'] = (method, ...parameters) => callNode(url, method, parameters)
  const [first = '0x', second = '0x'] = accounts
  const height = async () => Number(await rpc<Hex>('eth_blockNumber'))
  const blockAt = (number: number) => rpc<BlockOfNode>('eth_getBlockByNumber', hex(number), true)
  const raw = (hash: Hex) => rpc<Hex>('eth_getRawTransactionByHash', hash)

  const send = ({ from, to, value = 0n, data = '0x', gas }: Sent) =>
    rpc<Hex>('eth_sendTransaction', {
      from,
      to,
      value: hex(value),
      input: data,
      ...(gas !== undefined && { gas: hex(gas) }),
    })

  async function mine(blocks: number): Promise<Hex[]> {
    const before = await height()
    await rpc('anvil_mine', hex(blocks))
    return Promise.all(
      Array.from({ length: blocks }, async (_, index) => (await blockAt(before + 1 + index)).hash),
    )
  }

  return {
    rpc,
    accounts,
    contracts,
    mine,
    send,
    finalise: async () => {
      await rpc('anvil_mine', hex(2 * EPOCH_BLOCKS))
    },
    payNative: (to, value, from = second) => send({ from, to, value }),
    payToken: (token, to, amount, from = first) =>
      send({ from, to: token, data: callData('transfer(address,uint256)', BigInt(to), amount) }),
    payThroughForwarder: (to, value) =>
      send({ from: second, to: contracts.forwarder, value, data: callData('forward(address)', BigInt(to)) }),

    async replace(hash, changes = {}) {
      const old = await rpc<TransactionOfNode>('eth_getTransactionByHash', hash)
      return rpc<Hex>('eth_sendTransaction', {
        from: old.from,
        to: changes.to ?? old.to,
        value: changes.value === undefined ? old.value : hex(changes.value),
        input: changes.data ?? old.input,
        nonce: old.nonce,
        maxFeePerGas: hex(BigInt(old.maxFeePerGas) * 2n),
        maxPriorityFeePerGas: hex(BigInt(old.maxPriorityFeePerGas) * 2n),
      })
    },

    async reorganise(depth, { keep = [], drop = [] } = {}) {
      const tip = await height()
      if (!Number.isInteger(depth) || depth < 1 || depth > tip)
        throw new Error(`No blocks to replace: ${depth}`)
      const old: TransactionOfNode[] = []
      for (let number = tip - depth + 1; number <= tip; number++)
        old.push(...(await blockAt(number)).transactions)
      for (const hash of [...keep, ...drop])
        if (!old.some((each) => each.hash === hash))
          throw new Error(`${hash} is not in the blocks to replace.`)
      const isNeeded = ({ from, nonce }: TransactionOfNode) =>
        old.some(
          (each) =>
            [...keep, ...drop].includes(each.hash) &&
            each.from === from &&
            Number(each.nonce) >= Number(nonce),
        )
      const needed = await Promise.all(
        old.filter(isNeeded).map(async (each) => ({ ...each, raw: await raw(each.hash) })),
      )
      const others = [...old.filter((each) => !isNeeded(each)), ...(await pending())]
      const back = await Promise.all(others.map(({ hash }) => raw(hash)))
      await rpc('anvil_dropAllTransactions')
      await rpc('anvil_rollback', depth)
      // Otherwise an empty block could have the hash of the old one.
      await rpc('anvil_setCoinbase', hex(BigInt(`0x${crypto.randomUUID().replaceAll('-', '')}`), 40))
      for (const each of needed) {
        if (!drop.includes(each.hash)) await rpc('eth_sendRawTransaction', each.raw)
        else if (accounts.includes(each.from))
          await rpc('eth_sendTransaction', { from: each.from, to: each.from, nonce: each.nonce })
      }
      const hashes = await mine(depth + 1)
      for (const each of back) await rpc('eth_sendRawTransaction', each)
      return hashes
    },
  }

  /** The pool's transactions that the next block can contain, in the order of their senders' nonces. */
  async function pending(): Promise<TransactionOfNode[]> {
    const pool = await rpc<{ pending: Record<Hex, Record<string, TransactionOfNode>> }>('txpool_content')
    return Object.values(pool.pending).flatMap((ofSender) =>
      Object.entries(ofSender)
        .toSorted(([a], [b]) => Number(a) - Number(b))
        .map(([, transaction]) => transaction),
    )
  }
}

/** Calls a JSON-RPC method. Throws the error's message. */
export async function callNode<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** The call of a contract's function whose parameters take 32 bytes each. */
function callData(signature: string, ...parameters: readonly bigint[]): Hex {
  const selector = Buffer.from(keccak_256(new TextEncoder().encode(signature)).slice(0, 4)).toString('hex')
  return `0x${selector}${parameters.map((value) => value.toString(16).padStart(64, '0')).join('')}`
}

const hex = (value: number | bigint, digits = 1): Hex => `0x${value.toString(16).padStart(digits, '0')}`
