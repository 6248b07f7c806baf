import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import known from '../../../test/support/ethereumBlocks.json' with { type: 'json' }
import {
  headerWith,
  type LogJson,
  receiptWith,
  TEST_ADDRESSES,
  transferLog,
  word,
} from '../../../test/support/ethereumChain.ts'
import { decodeHeader, parseBlockHeader } from './header.ts'
import { checkNativePayment, checkTokenPayment, proveNative, proveToken, TRANSFER } from './proof.ts'
import { deriveSender } from './sender.ts'
import { TOKENS } from './tokens.ts'

const refused = (code: string) => expect.objectContaining({ name: 'ChainError', code })
const [investor, stranger] = TEST_ADDRESSES
const contract = TOKENS[0]?.contract ?? ''
const fake = `0x${'fa'.repeat(20)}`
const transfer = (change: Partial<Parameters<typeof transferLog>[0]> = {}) =>
  transferLog({ contract, from: stranger, to: investor, quantity: 25_000_000n, ...change })

/** A block of 40 receipts. The one at `transactionIndex` has these logs, the others two each. */
function blockWith(logs: LogJson[], { transactionIndex = 25, status = '0x1' } = {}) {
  const other = transfer({ to: stranger, quantity: 1n })
  const receipts = Array.from({ length: 40 }, (_, index) =>
    index === transactionIndex ? receiptWith(logs, { status }) : receiptWith([other, other]),
  )
  return { header: headerWith(receipts), receipts, transactionIndex, logIndex: 2 * transactionIndex }
}

function payment(log: LogJson) {
  return checkTokenPayment(proveToken(blockWith([log])), { contract, to: investor })
}

describe('a token payment', () => {
  it.each([
    [
      'USDT',
      known.mainnet.tether,
      TOKENS[0],
      '0x5a68a6b78a0e0a9ccac3235de48ceef723b8a057b25ed9c148efbd060c873b3d',
    ],
    [
      'USDC',
      known.mainnet.circle,
      TOKENS[1],
      '0xcb5fcd03b1bc04ebf327399d9c8b2e3f92edaaa371edc8d63c65ce262567b99d',
    ],
  ])('of the main network is proven: %s', (_name, { proof, log }, token, transactionHash) => {
    expect(log.transactionHash).toBe(transactionHash)
    const to = `0x${log.topics[2]?.slice(26)}`
    expect(checkTokenPayment(proof, { contract: token?.contract ?? '', to })).toEqual({
      blockHash: known.mainnet.block.hash,
      blockNumber: 21_925_176,
      timestamp: Number(known.mainnet.block.timestamp),
      transactionIndex: Number(log.transactionIndex),
      transactionHash: null,
      from: `0x${log.topics[1]?.slice(26)}`,
      quantity: BigInt(log.data),
      receiptLogIndex: 0,
      logIndex: Number(log.logIndex),
    })
  })

  it('is found by the number of its log within the block, and proven by the one within its receipt', () => {
    const block = blockWith([transfer({ to: stranger }), transfer(), transfer({ quantity: 7n })])
    const quantities = [51, 52].map((logIndex) => {
      const proof = proveToken({ ...block, logIndex })
      const paid = checkTokenPayment(proof, { contract, to: investor })
      expect(paid).toMatchObject({ logIndex, receiptLogIndex: logIndex - 50, transactionIndex: 25 })
      return paid.quantity
    })
    expect(quantities).toEqual([25_000_000n, 7n])
  })

  it('has its transaction hash proven where the block’s transactions are known', () => {
    const { block, receipts } = known
    const log = receipts[3]?.logs[0]
    const proof = proveToken({
      header: parseBlockHeader(block),
      receipts,
      transactions: block.transactions,
      transactionIndex: 3,
      logIndex: 10,
    })
    expect(log?.logIndex).toBe('0xa')
    expect(proof.transactionNodes?.length).toBeGreaterThan(0)
    // This log is no transfer. So only its own check refuses it, after the proof held.
    expect(() => checkTokenPayment(proof, { contract: log?.address ?? '', to: investor })).toThrow(
      refused('not_a_transfer'),
    )
  })

  it('has the proven hash of its transaction', () => {
    const { transactions } = known.block
    const receipts = transactions.map(() => receiptWith([transfer()], { type: '0x0' }))
    const header = headerWith(receipts, transactions)
    const proof = proveToken({ header, receipts, transactions, transactionIndex: 2, logIndex: 2 })
    expect(checkTokenPayment(proof, { contract, to: investor }).transactionHash).toBe(transactions[2]?.hash)
    const other = proveToken({ header, receipts, transactions, transactionIndex: 1, logIndex: 1 })
    const mixed = { ...proof, transactionNodes: other.transactionNodes }
    expect(() => checkTokenPayment(mixed, { contract, to: investor })).toThrow(refused('invalid_proof'))
  })

  it('is not a transfer of a fake token with the same name, or an event of any other contract', () => {
    expect(() => payment(transfer({ contract: fake }))).toThrow(refused('other_contract'))
    const log = transfer()
    expect(() => payment({ ...log, address: TOKENS[1]?.contract ?? '' })).toThrow(refused('other_contract'))
  })

  it('is not one of a failed transaction', () => {
    const proof = proveToken(blockWith([transfer()], { status: '0x0' }))
    expect(() => checkTokenPayment(proof, { contract, to: investor })).toThrow(refused('transaction_failed'))
  })

  const log = transfer()
  const [, from = '', to = ''] = log.topics
  it.each<[string, Partial<LogJson>, string]>([
    ['to somebody else', { topics: [TRANSFER, from, from] }, 'other_receiver'],
    ['with another event', { topics: [word(1n), from, to] }, 'not_a_transfer'],
    ['with two topics', { topics: [TRANSFER, from] }, 'not_a_transfer'],
    ['with four topics, as NFTs have', { topics: [TRANSFER, from, to, word(5n)] }, 'not_a_transfer'],
    ['without topics', { topics: [] }, 'not_a_transfer'],
    [
      'with a receiver that is longer than an address',
      { topics: [TRANSFER, from, `0x01${to.slice(4)}`] },
      'not_a_transfer',
    ],
    [
      'with a sender that is longer than an address',
      { topics: [TRANSFER, word(1n << 160n), to] },
      'not_a_transfer',
    ],
    ['with short data', { data: `0x${'00'.repeat(31)}` }, 'not_a_transfer'],
    ['with long data', { data: `0x${'00'.repeat(33)}` }, 'not_a_transfer'],
    ['without data', { data: '0x' }, 'not_a_transfer'],
    ['of nothing', { data: word(0n) }, 'no_quantity'],
  ])('is not a log %s', (_name, change, code) => {
    expect(() => payment({ ...log, ...change })).toThrow(refused(code))
  })

  it('can be as large as 256 bits', () => {
    expect(payment(transfer({ quantity: 2n ** 256n - 1n })).quantity).toBe(2n ** 256n - 1n)
  })

  it('is not proven by receipts of another block', () => {
    const block = blockWith([transfer()])
    const more = blockWith([transfer({ quantity: 1_000_000_000n })])
    expect(() => proveToken({ ...block, receipts: more.receipts })).toThrow(refused('receipts_root_differs'))
    expect(() => proveToken({ ...block, receipts: block.receipts.slice(0, -1) })).toThrow(
      refused('receipts_root_differs'),
    )
    expect(() => proveToken({ ...block, receipts: [] })).toThrow(refused('receipts_root_differs'))
    expect(() => proveToken({ ...block, transactions: known.block.transactions })).toThrow(
      refused('transactions_root_differs'),
    )
  })

  it.each([49, 51, -1, 50.5, Number.NaN])('is not at the log %d of the block', (logIndex) => {
    expect(() => proveToken({ ...blockWith([transfer()]), logIndex })).toThrow(refused('no_such_log'))
  })

  it.each([40, -1, 1.5])('is not in the transaction %d of the block', (transactionIndex) => {
    expect(() => proveToken({ ...blockWith([transfer()]), transactionIndex })).toThrow(refused('not_in_trie'))
  })
})

describe('a stored proof of a token payment', () => {
  const proof = proveToken(blockWith([transfer(), transfer({ contract: fake, quantity: 9_000_000_000n })]))
  const expected = { contract, to: investor }

  it('is small, and checked the same after storing it as JSON', () => {
    const text = JSON.stringify(proof)
    expect(text.length).toBeLessThan(6_000)
    expect(checkTokenPayment(JSON.parse(text), expected)).toEqual(checkTokenPayment(proof, expected))
  })

  it.each([
    ['null', null, 'invalid_json'],
    ['another kind', { ...proof, kind: 'ethereum_native' }, 'invalid_proof'],
    ['no header', { ...proof, header: undefined }, 'invalid_hex'],
    ['another transaction', { ...proof, transactionIndex: 24 }, 'invalid_proof'],
    ['a transaction after the last', { ...proof, transactionIndex: 40 }, 'invalid_proof'],
    ['no transaction', { ...proof, transactionIndex: -1 }, 'invalid_json'],
    ['another log', { ...proof, receiptLogIndex: 1, logIndex: 51 }, 'other_contract'],
    ['a log that does not exist', { ...proof, receiptLogIndex: 2, logIndex: 52 }, 'no_such_log'],
    ['a log before the block', { ...proof, receiptLogIndex: 1, logIndex: 0 }, 'no_such_log'],
    ['a log that is text', { ...proof, receiptLogIndex: '0' }, 'invalid_json'],
    ['no nodes', { ...proof, receiptNodes: [] }, 'invalid_proof'],
    ['nodes that are no list', { ...proof, receiptNodes: proof.receiptNodes.join() }, 'invalid_json'],
    ['nodes that are no text', { ...proof, receiptNodes: [1, 2] }, 'invalid_hex'],
    ['transaction nodes that are no list', { ...proof, transactionNodes: null }, 'invalid_json'],
  ])('with %s is refused', (_name, changed, code) => {
    expect(() => checkTokenPayment(changed, expected)).toThrow(refused(code))
  })

  it('with any changed digit shows another block, or is refused', () => {
    const { blockHash, quantity } = checkTokenPayment(proof, expected)
    const texts = [proof.header, ...proof.receiptNodes]
    fc.assert(
      fc.property(
        fc.nat(texts.length - 1),
        fc.nat(),
        fc.integer({ min: 1, max: 15 }),
        (n, position, bits) => {
          const text = texts[n] ?? '0x'
          const at = 2 + (position % (text.length - 2))
          const digit = (Number.parseInt(text[at] ?? '0', 16) ^ bits).toString(16)
          const changed = texts.slice()
          changed[n] = `0x${text.slice(2, at)}${digit}${text.slice(at + 1)}`
          try {
            const paid = checkTokenPayment(
              { ...proof, header: changed[0], receiptNodes: changed.slice(1) },
              expected,
            )
            // Only the header was changed, and outside the receipts root. Whoever compares the hash notices.
            expect(n).toBe(0)
            expect(paid.blockHash).not.toBe(blockHash)
            expect(paid.quantity).toBe(quantity)
          } catch (error) {
            expect(error).toMatchObject({ name: 'ChainError' })
          }
        },
      ),
    )
  })
})

describe('a payment in ether', () => {
  const { block, receipts } = known
  const header = parseBlockHeader(block)
  const { transactions } = block
  const proof = proveNative({ header, receipts, transactions, transactionIndex: 3 })
  const to = transactions[3]?.to ?? ''

  it('of a known block is proven, and its sender recovered', () => {
    const { transaction, ...paid } = checkNativePayment(JSON.parse(JSON.stringify(proof)), { to })
    expect(paid).toEqual({
      blockHash: block.hash,
      blockNumber: 54,
      timestamp: Number(block.timestamp),
      transactionIndex: 3,
      transactionHash: transactions[3]?.hash,
      quantity: 2n,
    })
    expect(deriveSender(transaction).toLowerCase()).toBe(transactions[3]?.from)
  })

  it('that a contract forwards, or that creates a contract, is refused: a person must look at it', () => {
    expect(() => checkNativePayment(proof, { to: investor })).toThrow(refused('not_a_direct_transfer'))
    const creation = proveNative({ header, receipts, transactions, transactionIndex: 0 })
    expect(() => checkNativePayment(creation, { to: investor })).toThrow(refused('not_a_direct_transfer'))
  })

  it('of a failed transaction is refused', () => {
    const failed = receipts.map((receipt) => ({ ...receipt, status: '0x0' }))
    const block = {
      header: headerWith(failed, transactions),
      receipts: failed,
      transactions,
      transactionIndex: 3,
    }
    expect(() => checkNativePayment(proveNative(block), { to })).toThrow(refused('transaction_failed'))
  })

  it('of nothing is refused', () => {
    const empty = transactions.map((transaction) => ({ ...transaction, value: '0x0' }))
    const block = { header: headerWith(receipts, empty), receipts, transactions: empty, transactionIndex: 3 }
    expect(() => checkNativePayment(proveNative(block), { to })).toThrow(refused('no_quantity'))
  })

  it('is not proven by transactions or receipts of another block', () => {
    const more = transactions.map((transaction) => ({ ...transaction, value: '0xffff' }))
    expect(() => proveNative({ header, receipts, transactions: more, transactionIndex: 3 })).toThrow(
      refused('transactions_root_differs'),
    )
    const failed = receipts.map((receipt) => ({ ...receipt, status: '0x0' }))
    expect(() => proveNative({ header, receipts: failed, transactions, transactionIndex: 3 })).toThrow(
      refused('receipts_root_differs'),
    )
  })

  it.each([
    [
      'the nodes of another transaction',
      {
        transactionNodes: proveNative({ header, receipts, transactions, transactionIndex: 2 })
          .transactionNodes,
      },
    ],
    [
      'the nodes of another receipt',
      { receiptNodes: proveNative({ header, receipts, transactions, transactionIndex: 2 }).receiptNodes },
    ],
    ['no transaction nodes', { transactionNodes: [] }],
    ['the receipt in place of the transaction', { transactionNodes: proof.receiptNodes }],
    ['another kind', { kind: 'ethereum_token' }],
    ['the header of another block', { header: parseBlockHeader(known.headers.prague).encoded }],
  ])('with %s is refused', (_name, change) => {
    expect(() => checkNativePayment({ ...proof, ...change }, { to })).toThrow(refused('invalid_proof'))
  })

  it('takes its time and number from the header that was hashed', () => {
    expect(decodeHeader(proof.header)).toEqual(header)
  })
})
