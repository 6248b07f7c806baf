import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Network } from './coins.ts'
import { TOKEN_CONTRACTS } from './coins.ts'
import { findLinkProblem, readAddress } from './paymentLinks.ts'

const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const LEGACY = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const USDC = TOKEN_CONTRACTS['usdc-erc20']

test('the address of a Bitcoin link is read (BIP-21)', () => {
  for (const link of [
    `bitcoin:${BITCOIN}`,
    `bitcoin:${BITCOIN}?amount=0.0153&label=Evenkeel%20deposit&message=a?b`,
    `bitcoin://${BITCOIN}?amount=1`,
    ` bitcoin:${BITCOIN}\n`,
  ]) {
    expect(readAddress('btc', link)).toBe(BITCOIN)
    expect(findLinkProblem('btc', link)).toBeNull()
  }
  expect(readAddress('btc', `BITCOIN:${BITCOIN.toUpperCase()}?AMOUNT=1`)).toBe(BITCOIN.toUpperCase())
  expect(readAddress('btc', `bitcoin:${LEGACY}`)).toBe(LEGACY)
})

test('the receiver of an Ethereum link is read, not the contract of the token (EIP-681)', () => {
  for (const link of [
    `ethereum:${WALLET}`,
    `ethereum:pay-${WALLET}`,
    `ethereum:${WALLET}@1?value=2.014e18&gas=10`,
    `ethereum:${USDC}@1/transfer?address=${WALLET}&uint256=1000000`,
    `ethereum:${USDC}/transfer?uint256=1&address=${WALLET}`,
  ])
    expect(readAddress('usdc-erc20', link)).toBe(WALLET)
  expect(readAddress('usdt-bsc', `ethereum:${WALLET}@56`)).toBe(WALLET)
})

test('a link of another network is refused, and one that asks for more is not read', () => {
  const other =
    'This payment link is for another network. Please choose its network, or paste another address'
  const unreadable = 'We cannot read this payment link. Please paste the address alone'
  const cases: [Network, string, string][] = [
    ['eth', `bitcoin:${BITCOIN}`, other],
    ['btc', `ethereum:${WALLET}`, other],
    ['usdt-trc20', `ethereum:${WALLET}`, other],
    ['usdt-bsc', `ethereum:${WALLET}@1`, other],
    ['usdt-erc20', `ethereum:${WALLET}@56`, other],
    ['eth', `ethereum:${WALLET}@137`, other],
    ['btc', `bitcoin:${BITCOIN}?req-somethingnew=1`, unreadable],
    ['btc', 'bitcoin:?amount=1', unreadable],
    ['eth', `ethereum:${USDC}@1/approve?address=${WALLET}`, unreadable],
    ['eth', `ethereum:${USDC}@1/transfer?uint256=1`, unreadable],
  ]
  for (const [network, link, problem] of cases) {
    expect([link, readAddress(network, link)]).toEqual([link, link])
    expect([link, findLinkProblem(network, link)]).toEqual([link, problem])
  }
  expect(readAddress(null, `bitcoin:${BITCOIN}`)).toBe(`bitcoin:${BITCOIN}`)
})

test('an address in groups and with invisible marks is joined, and other text stays', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(BITCOIN, LEGACY, WALLET, TRON),
      fc.integer({ min: 2, max: 10 }),
      fc.constantFrom(' ', '\u00a0', '\n', '\u2009', '\u200b'),
      (address, size, gap) => {
        const groups = address.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
        expect(readAddress('btc', ` ${groups.join(gap)}\ufeff`)).toBe(address)
      },
    ),
  )
  expect(readAddress('btc', 'my wallet, please')).toBe('my wallet, please')
  expect(findLinkProblem('btc', BITCOIN)).toBeNull()
})
