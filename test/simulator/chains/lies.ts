import { encodeLittleEndian, hash256, hashText, parseHex } from '../../../src/chain/bitcoin/bytes.ts'
import { parseHeader } from '../../../src/chain/bitcoin/header.ts'
import { computeMerkleRoot } from '../../../src/chain/bitcoin/merkle.ts'
import { serializeTransaction } from '../../../src/chain/bitcoin/transaction.ts'
import type { Hex } from '../../../src/chain/ethereum/hex.ts'
import { joinBytes, toHex } from '../../../src/contract/bytes.ts'
import type { Chance } from '../lane/chance.ts'
import { type BitcoinBlock, type BitcoinView, rawBlock, type SentTransaction } from './bitcoin.ts'
import { listed, NOT_FOUND, pathOf, type ServerAnswer, shown } from './esplora.ts'
import {
  blockAfter,
  type EthereumBlock,
  type EthereumTransaction,
  type EthereumView,
  finalisedIn,
  quantityHex,
  transferLog,
  USDT,
  word,
} from './ethereum.ts'
import { blockJson, type RpcAnswer, type RpcQuestion } from './jsonRpc.ts'

/** An address that an investor was given. */
export interface OwnAddress {
  readonly address: string
  /** Empty on Ethereum. */
  readonly script: string
}

/** What a lying server is asked, what an honest one would answer, and what it may use. */
interface Asked<View, Question, Answer> {
  readonly question: Question
  readonly truth: Answer
  readonly view: View
  readonly own: readonly OwnAddress[]
  /** 32 bytes, hex: what it makes up stays the same while it lies. */
  readonly salt: string
}
type Lie<View, Question, Answer> = (asked: Asked<View, Question, Answer>) => Answer

type BitcoinLie = Lie<BitcoinView, string, ServerAnswer>

/** Lies of an Esplora server: what each does. */
export const BITCOIN_LIES = {
  /** Payments to own addresses are larger than they are. */
  wrongAmount: ({ question, truth, own }) =>
    inLists(question, truth, (each) => ({
      ...each,
      vout: each.vout.map((output) =>
        isOwn(own, output.scriptpubkey) ? { ...output, value: output.value * 3 } : output,
      ),
    })),

  /** A payment that waits for a block goes to another investor's address. */
  wrongScript: ({ question, truth, own, view }) => {
    const asked = own.find(({ address }) => question === `/address/${address}/txs`)
    if (asked === undefined) return truth
    const others = view.mempool.filter(({ outputs }) => outputs.some(({ script }) => isOwn(own, script)))
    const changed = others.map((each) => {
      const outputs = each.outputs.map((output) =>
        isOwn(own, output.script) ? { ...output, script: asked.script } : output,
      )
      return shown({ ...each, outputs }, false)
    })
    return { ...truth, body: [...changed, ...(truth.body as Listed[])] }
  },

  /** A payment that nobody made. */
  invented: ({ question, truth, own, salt }) => {
    const asked = own.find(({ address }) => question === `/address/${address}/txs`)
    if (asked === undefined) return truth
    const outputs = [{ script: asked.script, value: 50_000_000n }]
    const transaction = { txid: hashText(hash256(parseHex(salt, 'The salt'))), outputs }
    return { ...truth, body: [shown(transaction, false), ...(truth.body as Listed[])] }
  },

  /** A block without enough work on top of the chain, with a payment that nobody made. All answers agree with it. */
  weakHeader: ({ question, truth, view, own, salt }) => {
    const weak = weakBlock(view, own[0], salt)
    if (question === '/blocks')
      return { ...truth, body: [listed(weak), ...(truth.body as unknown[])].slice(0, 10) }
    return question === `/block/${weak.hash}/raw` ? { status: 200, body: rawBlock(weak) } : truth
  },

  /** The Merkle path of another transaction; a path for a transaction that is in no block. */
  otherPath: ({ question, truth, view }) => {
    const txid = /^\/tx\/(\w+)\/merkle-proof$/.exec(question)?.[1]
    if (txid === undefined) return /^\/tx\/\w+$/.test(question) ? confirmed(truth) : truth
    const block = view.main.findLast(({ transactions }) => transactions.some((each) => each.txid !== txid))
    const other = block?.transactions.find((each) => each.txid !== txid)
    return block === undefined || other === undefined
      ? truth
      : { status: 200, body: pathOf(block, other.txid) }
  },

  /** Whole blocks have one more payment. */
  otherBlock: ({ question, truth, view, own, salt }) => {
    const block = view.main.find(({ hash }) => question === `/block/${hash}/raw`)
    if (block === undefined) return truth
    return {
      ...truth,
      body: rawBlock({ ...block, transactions: [...block.transactions, inventedFor(own[0], salt)] }),
    }
  },

  /** Payments are not mentioned, transactions are unknown, and coins are spent. */
  hidden: ({ question, truth }) => {
    if (question.startsWith('/address/')) return { ...truth, body: [] }
    if (question.endsWith('/outspends')) return withSpent(truth, true)
    return question.startsWith('/tx/') ? NOT_FOUND : truth
  },

  /** Coins that are spent are unspent. */
  unspent: ({ question, truth }) => (question.endsWith('/outspends') ? withSpent(truth, false) : truth),
} as const satisfies Readonly<Record<string, BitcoinLie>>

type Listed = ReturnType<typeof shown>

function isOwn(own: readonly OwnAddress[], script: string): boolean {
  return own.some((each) => each.script === script)
}

function inLists(question: string, truth: ServerAnswer, change: (each: Listed) => Listed): ServerAnswer {
  return question.startsWith('/address/') && truth.status === 200
    ? { ...truth, body: (truth.body as Listed[]).map(change) }
    : truth
}

function withSpent(truth: ServerAnswer, spent: boolean): ServerAnswer {
  return truth.status === 200 ? { ...truth, body: (truth.body as unknown[]).map(() => ({ spent })) } : truth
}

function confirmed(truth: ServerAnswer): ServerAnswer {
  return truth.status === 200
    ? { ...truth, body: { ...(truth.body as Listed), status: { confirmed: true } } }
    : truth
}

function inventedFor(own: OwnAddress | undefined, salt: string): SentTransaction {
  const input = { txid: salt, vout: 0, script: '', sequence: 0xfffffffd, witness: [salt] }
  const outputs = [{ script: own?.script ?? '51', value: 70_000_000n }]
  const raw = serializeTransaction({ version: 2, lockTime: 0, inputs: [input], outputs })
  const stripped = serializeTransaction({
    version: 2,
    lockTime: 0,
    inputs: [{ ...input, witness: [] }],
    outputs,
  })
  const txid = hashText(hash256(parseHex(stripped, 'The transaction')))
  return { txid, raw, spends: [`${salt}:0`], outputs, fee: 0n, isFromOutside: true }
}

function weakBlock({ main }: BitcoinView, own: OwnAddress | undefined, salt: string): BitcoinBlock {
  const tip = main.at(-1)
  if (tip === undefined) throw new Error('There is no genesis block.')
  const transactions = [inventedFor(own, salt)]
  const root = parseHex(computeMerkleRoot(transactions.map(({ txid }) => txid)), 'The root').reverse()
  const { time, hash } = parseHeader(tip.header)
  const fixed = [
    encodeLittleEndian(0x20000000, 4),
    parseHex(hash, 'The hash').reverse(),
    root,
    encodeLittleEndian(time + 1, 4),
  ]
  for (let nonce = 0; ; nonce++) {
    // Regtest's own difficulty, which half of all hashes miss.
    const header = toHex(
      joinBytes([...fixed, encodeLittleEndian(0x207fffff, 4), encodeLittleEndian(nonce, 4)]),
    )
    const found = parseHeader(header).hash
    if (found > `7fffff${'0'.repeat(58)}`)
      return { height: tip.height + 1, hash: found, header, transactions }
  }
}

type EthereumLie = Lie<EthereumView, RpcQuestion, RpcAnswer>

/** Lies of a JSON-RPC server. */
export const ETHEREUM_LIES = {
  /** Payments to own addresses are larger than they are, in blocks, receipts and logs. */
  wrongAmount: ({ truth, own }) =>
    inObjects(truth, (value) => {
      if (isLogTo(value, own)) return { ...value, data: word(quantityHex(BigInt(String(value.data)) * 10n)) }
      return 'nonce' in value && own.some(({ address }) => value.to === address.toLowerCase())
        ? { ...value, value: quantityHex(BigInt(String(value.value)) * 10n) }
        : value
    }),

  /** A transfer to one own address went to another one. */
  wrongReceiver: ({ truth, own }) =>
    inObjects(truth, (value) => {
      const other = own.at(-1)?.address
      return isLogTo(value, own) && other !== undefined
        ? { ...value, topics: [...(value.topics as string[]).slice(0, 2), word(other)] }
        : value
    }),

  /** The newest block is one that nobody made, with payments that nobody made and other results of real ones. All answers agree with it. */
  newestBlock: ({ question: { method, params }, truth, view, own, salt }) => {
    const made = madeUpBlock(view, own, salt)
    const asksFor = (height: unknown) => height === 'latest' || Number(height) === made.header.number
    if (method === 'eth_getBlockByNumber' && asksFor(params[0]))
      return { result: blockJson(made, params[1] === true) }
    if (method === 'eth_getBlockReceipts' && params[0] === made.header.hash) return { result: made.receipts }
    if (method !== 'eth_getLogs' || Number((params[0] as { toBlock: string }).toBlock) < made.header.number)
      return truth
    const logs = made.receipts.flatMap((receipt) => receipt.logs)
    return { result: [...((truth as { result: unknown[] }).result ?? []), ...logs] }
  },

  /** The finalised block is another one. All answers agree with it. */
  finalisedBlock: ({ question: { method, params }, truth, view, salt }) => {
    const height = finalisedIn(view.blocks)
    if (method !== 'eth_getBlockByNumber' || (params[0] !== 'finalized' && Number(params[0]) !== height))
      return truth
    const real = view.blocks[height]
    const extraData: Hex = `0x${salt.slice(0, 16)}`
    const other = blockAfter(view.blocks[height - 1], real?.transactions ?? [], {
      nowMs: (real?.header.timestamp ?? 0) * 1000,
      extraData,
      effect: () => ({ succeeds: true, logs: [], moves: [] }),
    })
    return { result: blockJson(other, params[1] === true) }
  },

  /** Failed transactions have succeeded, and successful ones have failed. */
  changedReceipts: ({ truth }) =>
    inObjects(truth, (value) =>
      'cumulativeGasUsed' in value ? { ...value, status: value.status === '0x1' ? '0x0' : '0x1' } : value,
    ),

  /** Events of transfers are not mentioned. */
  hiddenLogs: ({ question: { method }, truth }) => (method === 'eth_getLogs' ? { result: [] } : truth),

  /** A transfer that nobody made, in a block of the chain. */
  inventedLog: ({ question: { method, params }, truth, view, own }) => {
    const [filter] = params as [{ toBlock: string }]
    const block = method === 'eth_getLogs' ? view.blocks[Number(filter.toBlock)] : undefined
    const [first] = own
    if (block === undefined || first === undefined) return truth
    const log = {
      ...transferLog(USDT, first.address, first.address, 900_000_000n),
      blockNumber: quantityHex(block.header.number),
      blockHash: block.header.hash,
      transactionHash: block.transactions[0]?.hash ?? block.header.hash,
      transactionIndex: '0x0',
      logIndex: '0x0',
    }
    return { result: [...(truth as { result: unknown[] }).result, log] }
  },

  /** Payouts that wait are in a finalised block, and those in a block are not. */
  otherReceipt: ({ question: { method }, truth, view }) => {
    if (method !== 'eth_getTransactionReceipt') return truth
    const block = view.blocks[finalisedIn(view.blocks)]
    if (block === undefined || (truth as { result: unknown }).result !== null) return { result: null }
    return { result: { blockNumber: quantityHex(block.header.number), blockHash: block.header.hash } }
  },

  /** Payments to own addresses are in no block, and neither are the events of transfers to them. */
  hiddenTransactions: ({ question: { method, params }, truth, own }) => {
    if (!('result' in truth)) return truth
    if (method === 'eth_getLogs')
      return { result: (truth.result as Fields[]).filter((log) => !isLogTo(log, own)) }
    if (method !== 'eth_getBlockByNumber' || params[1] !== true) return truth
    const block = truth.result as { transactions: Fields[] } | null
    const isPayment = ({ to }: Fields) => own.some(({ address }) => to === address.toLowerCase())
    return {
      result: block && { ...block, transactions: block.transactions.filter((each) => !isPayment(each)) },
    }
  },

  /** It serves another chain. */
  otherChain: ({ question: { method }, truth }) => (method === 'eth_chainId' ? { result: '0x1' } : truth),
} as const satisfies Readonly<Record<string, EthereumLie>>

type Fields = Readonly<Record<string, unknown>>

/** Changes each object of a result, inner ones first. */
function inObjects(truth: RpcAnswer, change: (value: Fields) => Fields): RpcAnswer {
  if (!('result' in truth)) return truth
  const text = JSON.stringify(truth.result)
  return {
    result: JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? change(value as Fields) : value,
    ),
  }
}

function isLogTo({ topics }: Fields, own: readonly OwnAddress[]): boolean {
  return Array.isArray(topics) && own.some(({ address }) => topics[2] === word(address))
}

/** A block after the newest one, whose transactions pay other amounts and other investors than they do. */
function madeUpBlock(
  { blocks, pending }: EthereumView,
  own: readonly OwnAddress[],
  salt: string,
): EthereumBlock {
  const real = pending.filter(({ from }) => from === null)
  const newest = blocks.at(-1)
  return blockAfter(newest, real, {
    nowMs: ((newest?.header.timestamp ?? 0) + 12) * 1000,
    extraData: `0x${salt.slice(0, 16)}`,
    effect: (each: EthereumTransaction) => {
      const other = own[Number.parseInt(salt.slice(0, 4), 16) % Math.max(1, own.length)]
      const logs = other === undefined ? [] : [transferLog(USDT, other.address, other.address, 700_000_000n)]
      // What it really does tells the liar whether it is a payment in a token.
      return each.json.to === USDT
        ? { succeeds: true, logs, moves: [] }
        : { succeeds: true, logs: [], moves: [] }
    },
  })
}

/** 32 bytes for a liar to make things up from. */
export function saltOf(chance: Chance): string {
  const bytes = new Uint8Array(32)
  chance.fill(bytes)
  return toHex(bytes)
}
