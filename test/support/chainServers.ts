import { env } from 'cloudflare:workers'
import { parseTransaction } from '../../src/chain/bitcoin/transaction.ts'
import { setRuntime } from '../../worker/lib/runtime.ts'

/** Servers of both chains that answer what a test says. Both servers of a chain share one state. */
export interface ChainServers {
  /** Coins (`txid:n`) that are spent. */
  readonly spent: Set<string>
  /** Ids of transactions that both servers do not know. */
  readonly unknown: Set<string>
  /** Transactions that were sent, raw, by their id. */
  readonly sent: Map<string, string>
  /** Bitcoin blocks with one transaction: its height by the transaction's id. */
  readonly mined: Map<string, number>
  readonly account: { nonce: number; ether: bigint; tokens: bigint; gas: bigint | null }
  /** What the servers do: answer, refuse every transaction, or not answer at all. */
  mood: 'well' | 'refusing' | 'silent'
  calls: number
  restore(): void
}

const BITCOIN_SERVERS = ['https://one.bitcoin.example', 'https://two.bitcoin.example'] as const
const ETHEREUM_SERVERS = ['https://one.ethereum.example', 'https://two.ethereum.example'] as const
export const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

/** Outputs of each transaction. */
const MOST_OUTPUTS = 5

/** Configures both chains and answers in the place of their servers until `restore`. */
export function startChainServers(): ChainServers {
  // Bindings are the same object for the tests and the Worker.
  const variables = env as unknown as Record<string, string | undefined>
  variables.BITCOIN_SERVERS = BITCOIN_SERVERS.join(' ')
  variables.ETHEREUM_SERVERS = ETHEREUM_SERVERS.join(' ')
  const servers: ChainServers = {
    spent: new Set(),
    unknown: new Set(),
    sent: new Map(),
    mined: new Map(),
    account: { nonce: 7, ether: 10n ** 19n, tokens: 10n ** 10n, gas: 21_000n },
    mood: 'well',
    calls: 0,
    restore: () => {
      delete variables.BITCOIN_SERVERS
      delete variables.ETHEREUM_SERVERS
      restore()
    },
  }
  const restore = setRuntime({
    fetch: async (address, init) => {
      const { hostname, pathname } = new URL(address)
      if (!hostname.endsWith('.example')) return fetch(address, init)
      servers.calls++
      if (servers.mood === 'silent') return new Response(null, { status: 502 })
      if (hostname.endsWith('.ethereum.example')) return answerEthereum(servers, String(init.body))
      return answerBitcoin(servers, pathname, init)
    },
  })
  return servers
}

function answerBitcoin(
  { spent, unknown, sent, mined, mood }: ChainServers,
  path: string,
  { method, body }: RequestInit,
): Response {
  if (method === 'POST' && path === '/tx') {
    if (mood === 'refusing') return new Response('bad-txns-inputs-missingorspent', { status: 400 })
    const raw = String(body)
    const { txid } = parseTransaction(raw)
    sent.set(txid, raw)
    return new Response(txid)
  }
  if (path === '/fee-estimates') return Response.json({ 2: 21.314, 6: 9.5, 144: 0.4 })
  const [, , txid = '', what] = path.split('/')
  if (what === 'outspends')
    return unknown.has(txid)
      ? new Response('Transaction not found', { status: 404 })
      : Response.json(
          Array.from({ length: MOST_OUTPUTS }, (_, output) => ({ spent: spent.has(`${txid}:${output}`) })),
        )
  const height = mined.get(txid)
  if (what === 'merkle-proof')
    return height === undefined
      ? new Response('Transaction not found or is unconfirmed', { status: 404 })
      : Response.json({ block_height: height, pos: 0, merkle: [] })
  if (height === undefined && !sent.has(txid)) return new Response('Transaction not found', { status: 404 })
  return Response.json({ txid, status: { confirmed: height !== undefined } })
}

function answerEthereum({ account, sent, mood }: ChainServers, body: string): Response {
  const questions = JSON.parse(body) as { id: number; method: string; params: string[] }[]
  const hex = (value: number | bigint) => `0x${value.toString(16)}`
  return Response.json(
    questions.map(({ id, method, params }) => {
      switch (method) {
        case 'eth_chainId':
          return { id, result: '0x1' }
        case 'eth_getTransactionCount':
          return { id, result: hex(account.nonce) }
        case 'eth_getBalance':
          return { id, result: hex(account.ether) }
        case 'eth_call':
          return { id, result: hex(account.tokens) }
        case 'eth_maxPriorityFeePerGas':
          return { id, result: hex(10n ** 9n) }
        case 'eth_estimateGas':
          return account.gas === null
            ? { id, error: { message: 'reverted' } }
            : { id, result: hex(account.gas) }
        case 'eth_feeHistory':
          return {
            id,
            result: {
              baseFeePerGas: ['0x3b9aca00', '0x77359400'],
              reward: [['0x1', '0x3b9aca00', '0x77359400']],
            },
          }
        case 'eth_sendRawTransaction':
          if (mood === 'refusing') return { id, error: { message: 'nonce too low' } }
          sent.set(String(sent.size), String(params[0]))
          return { id, result: '0x' }
        default:
          return { id, result: null }
      }
    }),
  )
}
