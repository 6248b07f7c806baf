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
  /**
   * Replaces the newest `depth` blocks by `depth + 1` empty ones, and returns their hashes. Transactions of the old blocks return to
   * the pool.
   */
  reorganise(depth: number): Promise<Hex[]>
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
  readonly transactions: readonly Hex[]
}

/** The control of a running node by its base URL. Needs nothing but `fetch`, so it works in workerd too. */
export function ethereumControl(
  url: string,
  { accounts, contracts }: Pick<EthereumControl, 'accounts' | 'contracts'>,
): EthereumControl {
  const rpc: EthereumControl['rpc'] = (method, ...parameters) => callNode(url, method, parameters)
  const [first = '0x', second = '0x'] = accounts
  const height = async () => Number(await rpc<Hex>('eth_blockNumber'))
  const blockAt = (number: number) => rpc<BlockOfNode>('eth_getBlockByNumber', hex(number), false)

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

    async reorganise(depth) {
      const tip = await height()
      if (!Number.isInteger(depth) || depth < 1 || depth > tip)
        throw new Error(`No blocks to replace: ${depth}`)
      const old: Hex[] = []
      for (let number = tip - depth + 1; number <= tip; number++)
        old.push(...(await blockAt(number)).transactions)
      const { pending } = await rpc<{ pending: Record<Hex, Record<string, { hash: Hex }>> }>('txpool_content')
      // The keys of each sender are its nonces, in their order.
      for (const byNonce of Object.values(pending))
        for (const { hash } of Object.values(byNonce)) old.push(hash)
      const back = await Promise.all(old.map((hash) => rpc<Hex>('eth_getRawTransactionByHash', hash)))
      await rpc('anvil_dropAllTransactions')
      await rpc('anvil_rollback', depth)
      // Otherwise an empty block could have the hash of the old one.
      await rpc('anvil_setCoinbase', hex(BigInt(`0x${crypto.randomUUID().replaceAll('-', '')}`), 40))
      const hashes = await mine(depth + 1)
      for (const transaction of back) await rpc('eth_sendRawTransaction', transaction)
      return hashes
    },
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
