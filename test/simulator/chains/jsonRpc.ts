import {
  BASE_FEE,
  balanceIn,
  CHAIN_ID,
  type EthereumBlock,
  type EthereumChain,
  type EthereumView,
  finalisedIn,
  PRIORITY_FEE,
  quantityHex,
  USDT,
} from './ethereum.ts'

export interface RpcQuestion {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** A result, or why the server refuses the question. */
export type RpcAnswer = { readonly result: unknown } | { readonly error: { readonly message: string } }

/** Answers a question as a JSON-RPC server with this view (https://ethereum.org/en/developers/docs/apis/json-rpc/). */
export function answerJsonRpc(
  chain: EthereumChain,
  view: EthereumView,
  { method, params }: RpcQuestion,
): RpcAnswer {
  const { blocks, pending } = view
  const ok = (result: unknown): RpcAnswer => ({ result })
  const heightOf = (tag: unknown): number =>
    tag === 'latest' || tag === 'pending'
      ? blocks.length - 1
      : tag === 'finalized'
        ? finalisedIn(blocks)
        : Number(tag)
  const [first, second] = params
  switch (method) {
    case 'eth_chainId':
      return ok(quantityHex(CHAIN_ID))
    case 'eth_getBlockByNumber':
      return ok(blockJson(blocks[heightOf(first)], second === true))
    case 'eth_getLogs':
      return ok(logsOf(blocks, first as LogFilter))
    case 'eth_getBlockReceipts':
      return ok(blocks.find(({ header }) => header.hash === first)?.receipts ?? null)
    case 'eth_getTransactionReceipt':
      return ok(
        blocks.flatMap(({ receipts }) => receipts).find(({ transactionHash }) => transactionHash === first) ??
          null,
      )
    case 'eth_getTransactionByHash': {
      const sent = [...pending, ...blocks.flatMap(({ transactions }) => transactions)]
      return ok(sent.find(({ hash }) => hash === first)?.json ?? null)
    }
    case 'eth_getBalance':
      return ok(quantityHex(balanceIn(blocks, 'wei', String(first), heightOf(second))))
    case 'eth_call': {
      // Only `balanceOf(address)` is ever called.
      const { to, data } = first as { to: string; data: string }
      const address = `0x${data.slice(34)}`
      const isUsdt = to.toLowerCase() === USDT.toLowerCase()
      return ok(quantityHex(isUsdt ? balanceIn(blocks, 'usdt', address, heightOf(second)) : 0n))
    }
    case 'eth_getTransactionCount': {
      const from = String(first).toLowerCase()
      let count = chain.nonceOf(from)
      while (pending.some((each) => each.from === from && each.nonce === count)) count += 1
      return ok(quantityHex(count))
    }
    case 'eth_maxPriorityFeePerGas':
      return ok(quantityHex(PRIORITY_FEE))
    case 'eth_estimateGas': {
      const { to, data } = first as { to: string; data: string }
      if (chain.refusing.has(to.toLowerCase())) return { error: { message: 'execution reverted' } }
      return ok(data === '0x' ? '0x5208' : '0xcb20')
    }
    case 'eth_feeHistory':
      return ok({
        baseFeePerGas: [quantityHex(BASE_FEE), quantityHex(BASE_FEE)],
        reward: [['0x1', quantityHex(PRIORITY_FEE), quantityHex(2n * PRIORITY_FEE)]],
      })
    case 'eth_sendRawTransaction': {
      const refused = chain.broadcast(String(first))
      return refused === null ? ok('0x') : { error: { message: refused } }
    }
    default:
      return { error: { message: 'the method does not exist' } }
  }
}

interface LogFilter {
  readonly fromBlock: string
  readonly toBlock: string
  readonly address?: readonly string[]
  readonly topics: readonly (string | null | readonly string[])[]
}

/** The block as JSON, with whole transactions or with their hashes. */
export function blockJson(block: EthereumBlock | undefined, isFull: boolean): unknown {
  if (block === undefined) return null
  const { json, transactions } = block
  return { ...json, transactions: transactions.map((each) => (isFull ? each.json : each.hash)), uncles: [] }
}

function logsOf(
  blocks: readonly EthereumBlock[],
  { fromBlock, toBlock, address, topics }: LogFilter,
): unknown[] {
  return blocks
    .slice(Number(fromBlock), Number(toBlock) + 1)
    .flatMap(({ receipts }) => receipts.flatMap(({ logs }) => logs))
    .filter(
      (log) =>
        (address === undefined || address.includes(log.address)) &&
        topics.every((wanted, i) => wanted === null || [wanted].flat().includes(log.topics[i] ?? '')),
    )
}
