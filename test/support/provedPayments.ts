import { encodeAddress } from '../../src/chain/bitcoin/addresses.ts'
import { parseHeader } from '../../src/chain/bitcoin/header.ts'
import { buildPaymentProof } from '../../src/chain/bitcoin/proof.ts'
import { parseTransaction, serializeTransaction } from '../../src/chain/bitcoin/transaction.ts'
import { parseBlockHeader } from '../../src/chain/ethereum/header.ts'
import { proveNative, proveToken } from '../../src/chain/ethereum/proof.ts'
import { TOKENS } from '../../src/chain/ethereum/tokens.ts'
import type { ProvedPayment } from '../../src/contract/money/payments.ts'
import { mine, mineMany, REGTEST_GENESIS } from './bitcoinBlocks.ts'
import known from './ethereumBlocks.json' with { type: 'json' }
import { headerWith, receiptWith, TEST_ADDRESSES, transferLog } from './ethereumChain.ts'

const credited = {
  _id: '0d6c2f2e-4f0b-4f37-9a3c-5f0f3a0d9c11',
  state: 'credited',
  words: 'Credited.',
  amount: 642,
  rate: '64200',
  rule: 'quote',
  seenAt: '2026-01-31T10:00:00.000Z',
  finalAt: '2026-01-31T10:30:00.000Z',
  creditedAt: '2026-01-31T10:30:05.000Z',
  deposit: null,
  contract: null,
} satisfies Partial<ProvedPayment>

const SCRIPT = `0014${'7d'.repeat(20)}`

/** A payment of 0.01 BTC in its own block of regtest, which two further blocks confirm, with its stored proof. */
export function bitcoinPayment(): ProvedPayment {
  const rawTransaction = serializeTransaction({
    version: 2,
    lockTime: 0,
    inputs: [{ txid: 'ab'.repeat(32), vout: 0, script: '', sequence: 0xfffffffd, witness: [] }],
    outputs: [{ script: SCRIPT, value: 1_000_000n }],
  })
  const { txid } = parseTransaction(rawTransaction)
  const header = mine(REGTEST_GENESIS, { merkleRoot: txid })
  const proof = buildPaymentProof({
    rawTransaction,
    output: 0,
    merkleProof: { block_height: 1, merkle: [], pos: 0 },
    header,
    following: mineMany(header, 2),
  })
  return {
    ...credited,
    network: 'btc',
    reference: `${txid}:0`,
    address: encodeAddress(SCRIPT, 'regtest') ?? '',
    quantity: '0.01',
    confirmations: 3,
    needed: 3,
    block: { height: 1, hash: parseHeader(header).hash },
    proof: JSON.stringify(proof),
  }
}

/** The ether that a transaction of a known block sends, with its stored proof. */
export function etherPayment(): ProvedPayment {
  const { block, receipts } = known
  const transactionIndex = 3
  const sent = block.transactions[transactionIndex]
  const header = parseBlockHeader(block)
  const proof = proveNative({ header, receipts, transactions: block.transactions, transactionIndex })
  return {
    ...credited,
    network: 'eth',
    reference: (sent?.hash ?? '').slice(2),
    address: sent?.to ?? '',
    quantity: '0.000000000000000002',
    confirmations: 64,
    needed: 64,
    block: { height: header.number, hash: header.hash },
    proof: JSON.stringify(proof),
  }
}

/** A transfer of 25 USDT or USDC, the second log of its receipt, with its stored proof. */
export function tokenPayment(token: 'usdt' | 'usdc', contract = contractOf(token)): ProvedPayment {
  const [to, other] = TEST_ADDRESSES
  const transfer = { contract, from: other, quantity: 25_000_000n }
  const receipts = [
    receiptWith([]),
    receiptWith([transferLog({ ...transfer, to: other }), transferLog({ ...transfer, to })]),
  ]
  const transactions = known.block.transactions.slice(0, 2)
  const header = headerWith(receipts, transactions)
  const proof = proveToken({ header, receipts, transactions, transactionIndex: 1, logIndex: 1 })
  return {
    ...credited,
    network: `${token}-erc20`,
    contract,
    reference: `${(transactions[1]?.hash ?? '').slice(2)}:1`,
    address: to,
    quantity: '25',
    confirmations: 64,
    needed: 64,
    block: { height: header.number, hash: header.hash },
    proof: JSON.stringify(proof),
  }
}

function contractOf(token: 'usdt' | 'usdc'): string {
  return TOKENS.find(({ symbol }) => symbol.toLowerCase() === token)?.contract ?? ''
}
