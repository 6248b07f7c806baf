import { afterAll, beforeAll, expect, test } from 'vitest'
import { EPOCH_BLOCKS, type Hex } from './ethereum/control.ts'
import { type EthereumNode, startEthereum } from './ethereum.ts'

let node: EthereumNode
beforeAll(async () => {
  node = await startEthereum()
})
afterAll(() => node.close())

interface Block {
  readonly hash: Hex
  readonly parentHash: Hex
  readonly number: Hex
  readonly receiptsRoot: Hex
  readonly transactionsRoot: Hex
  readonly transactions: readonly { readonly hash: Hex; readonly value: Hex; readonly to: Hex }[]
}

interface Receipt {
  readonly transactionHash: Hex
  readonly status: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[]
}

const blockAt = (tag: string) => node.rpc<Block>('eth_getBlockByNumber', tag, true)
const receipt = (hash: Hex) => node.rpc<Receipt | null>('eth_getTransactionReceipt', hash)
const height = async () => Number(await node.rpc<Hex>('eth_blockNumber'))
const balance = async (address: Hex) => BigInt(await node.rpc<Hex>('eth_getBalance', address, 'latest'))
const newAddress = (): Hex => `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex')}`
const word = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}`
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Calls a function of a contract without parameters, or with one address. */
const read = (contract: Hex, selector: string, address: Hex = '0x0') =>
  node.rpc<Hex>('eth_call', { to: contract, data: `${selector}${word(address).slice(2)}` }, 'latest')
const tokensOf = async (token: Hex, address: Hex) => BigInt(await read(token, '0x70a08231', address))
const textOf = (answer: Hex) => Buffer.from(answer.slice(130), 'hex').toString('utf8').replaceAll('\0', '')

test('the node is on chain 31337 and mines only when asked', async () => {
  expect(await node.rpc('eth_chainId')).toBe('0x7a69')
  const before = await height()
  const to = newAddress()
  const hash = await node.payNative(to, 10n ** 18n)
  expect([await height(), await receipt(hash), await balance(to)]).toEqual([before, null, 0n])
  await node.mine(1)
  expect([await height(), await balance(to)]).toEqual([before + 1, 10n ** 18n])
})

test('a block has its transactions and receipts', async () => {
  const to = newAddress()
  const hashes = [await node.payNative(to, 5n), await node.payToken(node.contracts.usdt, to, 7n)]
  const [hash] = await node.mine(1)
  const block = await blockAt('latest')
  expect(block.hash).toBe(hash)
  expect(block.transactions.map((each) => each.hash)).toEqual(hashes)
  expect(block.transactions[0]).toMatchObject({ to, value: '0x5' })
  for (const id of [block.hash, block.number])
    expect(await node.rpc('eth_getBlockReceipts', id)).toEqual(await Promise.all(hashes.map(receipt)))
  // The roots of an empty trie.
  const empty = (await blockAt('0x0')).receiptsRoot
  expect([block.receiptsRoot, block.transactionsRoot]).not.toContain(empty)
})

test('both tokens have six decimals and move, with and without a returned value', async () => {
  const { usdt, usdc } = node.contracts
  for (const [token, symbol] of [
    [usdt, 'USDT'],
    [usdc, 'USDC'],
  ] as const) {
    expect(textOf(await read(token, '0x95d89b41'))).toBe(symbol)
    expect(Number(await read(token, '0x313ce567'))).toBe(6)
    const to = newAddress()
    const hash = await node.payToken(token, to, 12_500_000n)
    await node.mine(1)
    expect(await tokensOf(token, to)).toBe(12_500_000n)
    expect((await receipt(hash))?.logs).toMatchObject([
      { address: token, topics: [TRANSFER, word(node.accounts[0] ?? ''), word(to)], data: word('0xbebc20') },
    ])
  }
  const transfer = `0xa9059cbb${word('0x1').slice(2)}${word('0x1').slice(2)}`
  const answers = [usdt, usdc].map((to) =>
    node.rpc('eth_call', { from: node.accounts[0], to, data: transfer }, 'latest'),
  )
  expect(await Promise.all(answers)).toEqual(['0x', word('0x1')])
})

test('the fake token looks like USDT at another address', async () => {
  const { usdt, fakeUsdt } = node.contracts
  expect(fakeUsdt).not.toBe(usdt)
  for (const selector of ['0x06fdde03', '0x95d89b41', '0x313ce567'])
    expect(await read(fakeUsdt, selector)).toBe(await read(usdt, selector))
  const to = newAddress()
  await node.payToken(fakeUsdt, to, 9n)
  await node.mine(1)
  expect([await tokensOf(fakeUsdt, to), await tokensOf(usdt, to)]).toEqual([9n, 0n])
})

test('a transfer event can come without a movement', async () => {
  const to = newAddress()
  const hash = await node.payToken(node.contracts.emptyTransfer, to, 1_000_000n)
  await node.mine(1)
  expect(await receipt(hash)).toMatchObject({
    status: '0x1',
    logs: [{ topics: [TRANSFER, word(node.accounts[0] ?? ''), word(to)], data: word('0xf4240') }],
  })
  expect(await tokensOf(node.contracts.usdt, to)).toBe(0n)
})

test('ether can come by an internal call, and a transaction can fail', async () => {
  const to = newAddress()
  const forwarded = await node.payThroughForwarder(to, 42n)
  // The token takes no ether. With a gas limit the node does not try it out first.
  const failing = await node.send({
    from: node.accounts[2] ?? '0x',
    to: node.contracts.usdt,
    value: 1n,
    gas: 100_000,
  })
  await node.mine(1)
  expect(await balance(to)).toBe(42n)
  const { transactions } = await blockAt('latest')
  expect(transactions.find(({ hash }) => hash === forwarded)?.to).toBe(node.contracts.forwarder)
  expect(await receipt(failing)).toMatchObject({ status: '0x0', logs: [] })
})

test('the finalised block follows the tip at a distance', async () => {
  const [hash] = await node.mine(1)
  const tip = await height()
  const tags = async () =>
    Promise.all(['safe', 'finalized'].map(async (tag) => Number((await blockAt(tag)).number)))
  expect(await tags()).toEqual(
    [tip - EPOCH_BLOCKS, tip - 2 * EPOCH_BLOCKS].map((number) => Math.max(number, 0)),
  )
  await node.finalise()
  expect(await tags()).toEqual([tip + EPOCH_BLOCKS, tip])
  expect((await blockAt('finalized')).hash).toBe(hash)
})

test('a pending transaction is replaced by one with the same nonce', async () => {
  const [to, elsewhere] = [newAddress(), newAddress()]
  const first = await node.payNative(to, 5n)
  const second = await node.replace(first, { to: elsewhere })
  await node.mine(1)
  expect([await balance(to), await balance(elsewhere)]).toEqual([0n, 5n])
  expect([await receipt(first), (await receipt(second))?.status]).toEqual([null, '0x1'])
})

test.each([1, 2, 3, 4, 5, 6])('%i blocks are replaced by one more', async (depth) => {
  const [kept, dropped, returned] = [newAddress(), newAddress(), newAddress()]
  const [, , a = '0x', b = '0x', c = '0x', d = '0x'] = node.accounts
  const keep = await node.payNative(kept, 1n, a)
  const drop = await node.payNative(dropped, 2n, b)
  const other = await node.payNative(returned, 3n, c)
  const token = await node.payToken(node.contracts.usdc, kept, 4n)
  const before = await node.mine(depth)
  const waiting = await node.payNative(returned, 10n, d)
  const tip = await height()
  const fork = (await blockAt(`0x${(tip - depth).toString(16)}`)).hash
  const after = await node.reorganise(depth, { keep: [keep, token], drop: [drop] })
  expect(await height()).toBe(tip + 1)
  expect(after).toHaveLength(depth + 1)
  expect(after.some((hash) => before.includes(hash))).toBe(false)
  expect((await blockAt(`0x${(tip - depth + 1).toString(16)}`)).parentHash).toBe(fork)
  expect((await receipt(keep))?.blockHash).toBe(after[0])
  expect((await receipt(token))?.blockHash).toBe(after[0])
  expect([await receipt(drop), await receipt(other), await receipt(waiting)]).toEqual([null, null, null])
  expect(await node.rpc('eth_getBlockByHash', before[0], false)).toBeNull()
  await node.mine(1)
  expect([await balance(kept), await balance(dropped), await balance(returned)]).toEqual([1n, 0n, 13n])
  expect(await tokensOf(node.contracts.usdc, kept)).toBe(4n)
})
