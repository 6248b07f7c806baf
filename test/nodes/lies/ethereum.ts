import { EPOCH_BLOCKS, type Hex } from '../ethereum/control.ts'
import { type Lie, randomHash, swapped } from './lie.ts'

type Ask = <T>(method: string, ...parameters: readonly unknown[]) => Promise<T>

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

type Fields = Readonly<Record<string, unknown>>

interface Block extends Fields {
  readonly hash: Hex
  readonly number: Hex
  readonly transactions: readonly unknown[]
}

/** `keccak256("Transfer(address,address,uint256)")`: the first topic of a token's transfer. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Lies of an Ethereum JSON-RPC server. `ask` asks the honest one. Quantities are in hex, as JSON-RPC writes them. */
export const ethereumLies = {
  /** The tip stays where it is now, and the finalised block too. Later blocks and what is in them are not mentioned. */
  staleTip: async (ask: Ask) => knownUpTo(ask, Number(await ask<Hex>('eth_blockNumber'))),

  /** Goes back to a chain that is this much shorter. */
  olderTip: async (ask: Ask, { blocks }: { readonly blocks: number }) =>
    knownUpTo(ask, Number(await ask<Hex>('eth_blockNumber')) - blocks),

  /** The finalised block has another hash, in all answers. */
  async wrongFinalisedBlock(ask: Ask): Promise<Lie> {
    const { hash } = await ask<Block>('eth_getBlockByNumber', 'finalized', false)
    return swapped(hash, `0x${randomHash()}`)
  },

  /** The block with this number has another hash, in all answers. */
  async otherBlockHash(ask: Ask, { number }: { readonly number: number }): Promise<Lie> {
    const { hash } = await ask<Block>('eth_getBlockByNumber', `0x${number.toString(16)}`, false)
    return swapped(hash, `0x${randomHash()}`)
  },

  /** Successful transactions have failed, and failed ones have succeeded. */
  changedReceipt: (): Lie =>
    inResults((value) =>
      'cumulativeGasUsed' in value ? { ...value, status: value.status === '0x1' ? '0x0' : '0x1' } : value,
    ),

  /** Every token's transfer has this amount. */
  changedLogAmount: (_: Ask, { amount }: { readonly amount: Hex }): Lie =>
    inResults((value) =>
      Array.isArray(value.topics) && value.topics[0] === TRANSFER ? { ...value, data: word(amount) } : value,
    ),

  /** A transfer of a token that nobody made, in the finalised block, with its receipt. */
  async inventedLog(
    ask: Ask,
    { token, to, amount }: { readonly token: string; readonly to: string; readonly amount: Hex },
  ): Promise<Lie> {
    const { hash, number } = await ask<Block>('eth_getBlockByNumber', 'finalized', false)
    const transactionHash = `0x${randomHash()}`
    const place = { blockHash: hash, blockNumber: number, transactionHash, transactionIndex: '0x0' }
    const log = {
      address: token.toLowerCase(),
      topics: [TRANSFER, word('0x1'), word(to)],
      data: word(amount),
      logIndex: '0x0',
      removed: false,
      ...place,
    }
    const receipt = {
      ...place,
      type: '0x2',
      status: '0x1',
      cumulativeGasUsed: '0x10000',
      logs: [log],
      logsBloom: `0x${'0'.repeat(512)}`,
    }
    return inCalls(({ method, params }, result) => {
      if (method === 'eth_getTransactionReceipt' && params[0] === transactionHash) return receipt
      if (method === 'eth_getLogs') return [...(result as readonly unknown[]), log]
      if (method === 'eth_getBlockReceipts' && (params[0] === hash || params[0] === number))
        return [...(result as readonly unknown[]), receipt]
      return result
    })
  },

  /** Transactions to this account carry another amount of ether. */
  wrongAmount: (_: Ask, { to, wei }: { readonly to: string; readonly wei: Hex }): Lie =>
    inResults((value) => (isTransactionTo(value, to) ? { ...value, value: wei } : value)),

  /** A payment of ether that nobody made, in the finalised block, with its receipt. */
  async inventedTransaction(ask: Ask, { to, wei }: { readonly to: string; readonly wei: Hex }): Promise<Lie> {
    const { hash: blockHash, number: blockNumber } = await ask<Block>(
      'eth_getBlockByNumber',
      'finalized',
      false,
    )
    const hash = `0x${randomHash()}`
    const from = `0x${'1'.repeat(40)}`
    const place = { blockHash, blockNumber, transactionIndex: '0x0', from, to: to.toLowerCase(), type: '0x2' }
    const transaction = { ...place, hash, value: wei, nonce: '0x0', input: '0x', gas: '0x5208' }
    const receipt = {
      ...place,
      transactionHash: hash,
      status: '0x1',
      cumulativeGasUsed: '0x5208',
      logs: [],
      logsBloom: `0x${'0'.repeat(512)}`,
    }
    return inCalls(({ method, params }, result) => {
      if (method === 'eth_getTransactionByHash' && params[0] === hash) return transaction
      if (method === 'eth_getTransactionReceipt' && params[0] === hash) return receipt
      if (method === 'eth_getBlockReceipts' && (params[0] === blockHash || params[0] === blockNumber))
        return [...(result as readonly unknown[]), receipt]
      if (!method.startsWith('eth_getBlockBy') || (result as Block | null)?.hash !== blockHash) return result
      const block = result as Block
      return { ...block, transactions: [...block.transactions, params[1] === true ? transaction : hash] }
    })
  },

  /** Payments of ether and tokens to this account are not mentioned. */
  hiddenTransactions: (_: Ask, { to }: { readonly to: string }): Lie =>
    inCalls((_call, result) =>
      without(result, (value) => isTransactionTo(value, to) || isTransferTo(value, to)),
    ),

  /** Says that it is on the main network. */
  wrongChain: (): Lie => inCalls(({ method }, result) => (method === 'eth_chainId' ? '0x1' : result)),
}

async function knownUpTo(ask: Ask, height: number): Promise<Lie> {
  const below = (blocks: number) => `0x${Math.max(height - blocks, 0).toString(16)}`
  const tags: Readonly<Record<string, string>> = {
    latest: below(0),
    safe: below(EPOCH_BLOCKS),
    finalized: below(2 * EPOCH_BLOCKS),
  }
  const blocks = new Map<string, unknown>()
  for (const [tag, number] of Object.entries(tags))
    for (const isFull of [false, true])
      blocks.set(`${tag} ${isFull}`, await ask('eth_getBlockByNumber', number, isFull))
  const isLater = (value: Fields) => Number(value.blockNumber ?? value.number) > height
  return inCalls(({ method, params }, result) => {
    if (method === 'eth_blockNumber') return below(0)
    if (method === 'eth_getBlockByNumber' && String(params[0]) in tags)
      return blocks.get(`${params[0]} ${params[1] === true}`)
    return isFields(result) && isLater(result) ? null : without(result, isLater)
  })
}

/** The list without the elements that match, in each list of a result. */
function without(result: unknown, matches: (value: Fields) => boolean): unknown {
  return JSON.parse(JSON.stringify(result ?? null), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((each) => !(isFields(each) && matches(each))) : value,
  )
}

const isTransactionTo = (value: Fields, to: string) => 'nonce' in value && sameAddress(value.to, to)
const isTransferTo = ({ topics }: Fields, to: string) =>
  Array.isArray(topics) && topics[0] === TRANSFER && topics[2] === word(to)
const sameAddress = (value: unknown, address: string) => String(value).toLowerCase() === address.toLowerCase()

/** 32 bytes, as topics and data have them. */
const word = (hex: string) => `0x${hex.slice(2).toLowerCase().padStart(64, '0')}`

/** Changes each object in each result, inner ones first. */
const inResults = (change: (value: Fields) => Fields) =>
  inCalls((_, result) =>
    JSON.parse(JSON.stringify(result ?? null), (_key, value: unknown) =>
      isFields(value) ? change(value) : value,
    ),
  )

/** Changes the result of each call, also in a batch. */
function inCalls(change: (call: Call, result: unknown) => unknown): Lie {
  return {
    answer: ({ body }, answer) => {
      const calls = [JSON.parse(body)].flat() as (Call & { readonly id: unknown })[]
      const answers = JSON.parse(answer.body) as unknown
      const changed = ([answers].flat() as (Fields & { readonly id: unknown })[]).map((each) => {
        const call = calls.find(({ id }) => id === each.id)
        return call && 'result' in each
          ? { ...each, result: change({ ...call, params: call.params ?? [] }, each.result) }
          : each
      })
      return { ...answer, body: JSON.stringify(Array.isArray(answers) ? changed : changed[0]) }
    },
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
