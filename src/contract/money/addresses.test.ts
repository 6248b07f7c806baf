import { expect, test } from 'vitest'
import { describeChecksum, findAddressProblem, normalizeAddress } from './addresses.ts'
import { getNetworkFacts, NETWORKS, type Network, TOKEN_CONTRACTS } from './coins.ts'

const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

test.each([
  ['the first block’s', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['pay to script hash', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['version 0 in upper case', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['version 1 of 40 bytes', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y'],
  ['version 16', 'BC1SW50QGDZ25J'],
  ['version 2', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'],
  ['taproot', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
])('a Bitcoin address is taken: %s', (_, address) => {
  expect(findAddressProblem('btc', address)).toBeNull()
})

test.each([
  ['wrong prefix', 'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut'],
  ['bech32 for version 1', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
  ['bech32 for version 16', 'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL'],
  ['bech32m for version 0', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'],
  ['a letter outside the alphabet', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
  ['version 17', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R'],
  ['one byte', 'bc1pw5dgrnzv'],
  ['41 bytes', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav'],
  ['16 bytes of version 0', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
  ['padding of more than four bits', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf'],
  ['nothing but a checksum', 'bc1gmk9yu'],
  ['mixed case', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7KV8F3T4'],
  ['a mistyped letter', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
  ['a mistyped base58 letter', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'],
  ['a letter that base58 has not', '1A1zP1eP5QGefi2DMPTfTL5SLmv7Div0Na'],
  ['an outer space', ' 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['a key of nobody', '1111111111111111111114oLvT2'],
  ['a TRON address', TRON],
])('a Bitcoin address is refused: %s', (_, address) => {
  expect(findAddressProblem('btc', address)).toMatch(/address/)
})

test.each([
  'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
])('an address of a Bitcoin test network is named as such: %s', (address) => {
  expect(findAddressProblem('btc', address)).toMatch(/test network/)
})

test.each([
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
])('the EIP-55 example %s is taken on each network of its kind, and in one case', (address) => {
  for (const network of ['eth', 'usdt-bsc', 'usdt-erc20', 'usdc-erc20'] as const) {
    expect(findAddressProblem(network, address)).toBeNull()
    expect(findAddressProblem(network, address.toLowerCase())).toBeNull()
    expect(findAddressProblem(network, `0x${address.slice(2).toUpperCase()}`)).toBeNull()
    expect(normalizeAddress(network, address.toLowerCase())).toBe(address)
    expect(normalizeAddress(network, `0x${address.slice(2).toUpperCase()}`)).toBe(address)
  }
})

test.each([
  ['a wrong checksum', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['39 digits', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
  ['41 digits', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeda'],
  ['no 0x', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['0X', '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['a letter beyond f', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg'],
  ['the zero address', '0x0000000000000000000000000000000000000000'],
  ['a TRON address', TRON],
])('a 0x address is refused: %s', (_, address) => {
  for (const network of ['eth', 'usdt-bsc', 'usdt-erc20', 'usdc-erc20'] as const) {
    expect(findAddressProblem(network, address)).toMatch(/address/)
  }
})

test('a TRON address is taken as it is', () => {
  expect(findAddressProblem('usdt-trc20', TRON)).toBeNull()
  expect(normalizeAddress('usdt-trc20', TRON)).toBe(TRON)
})

test.each([
  ['a mistyped letter', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9'],
  ['lower case', TRON.toLowerCase()],
  ['too short', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv'],
  ['a key of nobody', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
  ['a Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['an Ethereum address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
])('a TRON address is refused: %s', (_, address) => {
  expect(findAddressProblem('usdt-trc20', address)).toMatch(/address/)
})

test('an address of another network is named as that', () => {
  const ethereum = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  expect(findAddressProblem('usdt-trc20', ethereum)).toBe(
    'This is an address of Ethereum, not of TRON (TRC-20)',
  )
  expect(findAddressProblem('btc', TRON)).toBe('This is an address of TRON (TRC-20), not of Bitcoin')
  for (const network of ['eth', 'usdt-bsc'] as const) {
    expect(findAddressProblem(network, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toMatch(
      /^This is an address of Bitcoin/,
    )
  }
  // Mistyped, it is nobody's.
  expect(findAddressProblem('usdt-trc20', ethereum.replace('0x5', '0x6'))).toMatch(
    /^This is not a TRON address/,
  )
})

test('a token’s own contract and the zero address are refused on every network, in any spelling', () => {
  for (const [of, contract] of Object.entries(TOKEN_CONTRACTS))
    for (const network of NETWORKS.filter(
      (each) => getNetworkFacts(each).family === getNetworkFacts(of as Network).family,
    ))
      for (const spelling of contract.startsWith('0x') ? [contract, contract.toLowerCase()] : [contract])
        expect([network, findAddressProblem(network, spelling)]).toEqual([
          network,
          expect.stringMatching(/contract of a token/),
        ])
  for (const [network, address] of [
    ['btc', '1111111111111111111114oLvT2'],
    ['btc', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs'],
    ['usdt-trc20', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ...(['eth', 'usdt-bsc', 'usdt-erc20', 'usdc-erc20'] as const).map(
      (network) => [network, `0x${'0'.repeat(40)}`] as const,
    ),
  ] as const)
    expect([network, findAddressProblem(network, address)]).toEqual([
      network,
      expect.stringMatching(/^Nobody holds the key/),
    ])
})

test('a Bitcoin address of either case is one destination', () => {
  expect(normalizeAddress('btc', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe(
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  )
  expect(normalizeAddress('btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toBe(
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  )
})

test('invalid addresses never throw', () => {
  for (const network of NETWORKS) {
    for (const text of [
      '',
      ' ',
      '\0',
      '\ud800',
      'bc1',
      'tb1',
      '0x',
      'T',
      '1',
      '1'.repeat(30),
      'bc1'.repeat(9_000),
    ]) {
      expect(findAddressProblem(network, text)).toMatch(/address/)
    }
  }
})

test('an address names the checksum that verifies it, or its error', () => {
  const words = (network: Network, address: string) => describeChecksum(network, address)
  const right = (checksum: string) => ({ isRight: true, words: `${checksum}, main network` })
  expect(words('btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toEqual(right('bech32'))
  expect(words('btc', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0')).toEqual(
    right('bech32m'),
  )
  expect(words('btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toEqual(right('base58check'))
  expect(words('usdt-bsc', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toEqual(right('EIP-55'))
  expect(words('usdt-trc20', TRON)).toEqual(right('base58check'))
  expect(words('btc', 'tb1qpjvrzyxslfauteyvgaecwhfyju9mujsj6s0jm2')).toEqual({
    isRight: false,
    words: expect.stringContaining('test network'),
  })
  expect(words('usdt-trc20', `${TRON.slice(0, -1)}u`).isRight).toBe(false)
})
