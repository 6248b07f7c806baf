import { expect, test } from 'vitest'
import { buildTrie } from '../../../src/chain/ethereum/trie.ts'
import { headerWith, receiptWith, TEST_ADDRESSES, transferLog } from '../../../test/support/ethereumChain.ts'
import { openReceipts } from './ethereumBlocks.ts'

const trie = buildTrie([])
const [TOKEN, ANA, BEN] = TEST_ADDRESSES
const transfer = (to: string, quantity: bigint) => transferLog({ contract: TOKEN, to, quantity })
const approval = {
  ...transfer(ANA, 1n),
  topics: [`0x${'8c'.repeat(32)}`, ...transfer(ANA, 1n).topics.slice(1)],
}

test('transfers are read from the receipts of their block, and count all logs before them', () => {
  const receipts = [
    receiptWith([approval, transfer(ANA, 5n)]),
    receiptWith([]),
    receiptWith([transfer(BEN, 7n)]),
  ]
  const header = headerWith(receipts)
  const place = { contract: TOKEN.toLowerCase(), blockHash: header.hash }
  expect(openReceipts({ header, trie }, receipts).transfers).toEqual([
    { ...place, to: ANA.toLowerCase(), transactionIndex: 0, logIndex: 1 },
    { ...place, to: BEN.toLowerCase(), transactionIndex: 2, logIndex: 2 },
  ])
})

test('receipts that are not those of the block are refused, also if they only lack a transfer', () => {
  const header = headerWith([receiptWith([transfer(ANA, 5n)])])
  for (const receipts of [
    [receiptWith([])],
    [receiptWith([transfer(BEN, 5n)])],
    [receiptWith([transfer(ANA, 6n)])],
    [],
    ['nothing'],
  ])
    expect(() => openReceipts({ header, trie }, receipts)).toThrow(/false receipts/)
})
