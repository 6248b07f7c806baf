import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Observing, observe, RATES } from '../support/observing.ts'
import type { Hex } from './ethereum/control.ts'
import { type EthereumNode, startEthereum } from './ethereum.ts'

// The platform beside anvil, a node that we did not write: its blocks, receipts and contracts are read like those of the simulated chain.

let node: EthereumNode
let platform: Observing
beforeAll(async () => {
  node = await startEthereum()
})
afterAll(() => node.close())

const ETHER = 10n ** 18n
const encodeWord = (hex: string) => hex.slice(2).toLowerCase().padStart(64, '0')

/** A customer of a new platform. */
async function customer(): Promise<{ id: string; address: string }> {
  await node.finalise()
  const { usdt, usdc } = node.contracts
  platform = await observe({ ethereum: node.urls, tokens: `usdt:${usdt} usdc:${usdc}` })
  onTestFinished(() => platform.close())
  await platform.tick()
  const id = await platform.investor()
  return { id, address: await platform.addressOf(id, 'eth') }
}

/** The node's clock goes on as the platform's does. */
async function finalise(seconds = 60): Promise<void> {
  await node.rpc('evm_increaseTime', seconds)
  await node.finalise()
  await platform.tick()
}

test('payments of ether and of both tokens are credited, and what looks like one is not', async () => {
  const { usdt, usdc, fakeUsdt, emptyTransfer } = node.contracts
  const { id, address } = await customer()
  const hashes = [
    await node.payNative(address, ETHER / 10n),
    await node.payToken(usdt, address, 250_000_000n),
    await node.payToken(usdc, address, 120_000_000n),
  ]
  await node.payToken(fakeUsdt, address, 900_000_000n)
  await node.payToken(emptyTransfer, address, 900_000_000n)
  await node.payThroughForwarder(address, ETHER)
  // More tokens than the account has. With a gas limit the node does not try it out first.
  const failing = await node.send({
    from: node.accounts[1] as Hex,
    to: usdt,
    data: `0xa9059cbb${encodeWord(address)}${'f'.repeat(64)}`,
    gas: 200_000,
  })
  await node.mine(1)
  await platform.tick()
  const read = (state: string) => [
    ['eth', hashes[0]?.slice(2), state],
    ['usdt-erc20', `${hashes[1]?.slice(2)}:0`, state],
    ['usdc-erc20', `${hashes[2]?.slice(2)}:0`, state],
  ]
  const found = async () =>
    (await platform.payments(id))
      .map(({ network, reference, state }) => [network, reference, state])
      .toSorted(([a = ''], [b = '']) => (a === 'eth' ? -1 : b === 'eth' ? 1 : a > b ? -1 : 1))
  expect(await found()).toEqual(read('confirming'))
  await finalise()
  expect(await found()).toEqual(read('credited'))
  expect(await platform.available(id)).toBe(RATES.ethereum * 10 + 370_00)
  expect(await node.rpc('eth_getTransactionReceipt', failing)).toMatchObject({ status: '0x0', logs: [] })
  platform.pass(3_600_000)
  await finalise(3_600)
  await platform.tick()
  const unknown = await platform.rows<{ contract: string | null; quantity: string }>(
    'SELECT contract, quantity FROM unknown_receipts WHERE investor = ?',
    id,
  )
  expect(new Map(unknown.map(({ contract, quantity }) => [contract, quantity]))).toEqual(
    new Map([
      [fakeUsdt, '900000000'],
      [emptyTransfer, '900000000'],
      // Ether that a contract sent cannot be proved.
      [null, String(ETHER)],
    ]),
  )
})

test('a payment is not credited after a reorganisation of its block until it is back', async () => {
  const { id, address } = await customer()
  await node.payNative(address, ETHER / 10n)
  await node.mine(2)
  await platform.tick()
  expect(await platform.payments(id)).toMatchObject([{ state: 'confirming' }])
  await node.reorganise(2)
  await platform.tick()
  await finalise()
  await finalise()
  expect(await platform.payments(id)).toMatchObject([{ state: 'credited' }])
  expect(await platform.available(id)).toBe(RATES.ethereum * 10)
})

test('the fake token looks like USDT, whose transfer returns no value, as on the main network', async () => {
  platform = await observe({})
  const { usdt, usdc, fakeUsdt } = node.contracts
  const call = (to: Hex, data: string) =>
    node.rpc<Hex>('eth_call', { from: node.accounts[0], to, data }, 'latest')
  for (const selector of ['0x06fdde03', '0x95d89b41', '0x313ce567'])
    expect(await call(fakeUsdt, selector)).toBe(await call(usdt, selector))
  const transfer = `0xa9059cbb${encodeWord('0x1')}${encodeWord('0x1')}`
  expect(await call(usdt, transfer)).toBe('0x')
  expect(await call(usdc, transfer)).toBe(`0x${encodeWord('0x1')}`)
})
