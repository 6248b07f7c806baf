import { expect, test } from 'vitest'
import { bitcoinPayment, etherPayment, tokenPayment } from '../../../../test/support/provedPayments.ts'
import { checkProof } from './checkProof.ts'

test.each([
  ['bitcoin', bitcoinPayment, /the Merkle path leads to the block’s header/],
  ['ether', etherPayment, /the transaction and its receipt/],
  [
    'USDT',
    () => tokenPayment('usdt'),
    /Tether’s own contract on the main network wrote the transfer: 0xdAC17/,
  ],
  [
    'USDC',
    () => tokenPayment('usdc'),
    /Circle’s own contract on the main network wrote the transfer: 0xA0b869/,
  ],
] as const)('a stored proof of a payment in %s holds', (_name, payment, line) => {
  const { holds, lines } = checkProof(payment())
  expect(lines.join(' ')).toMatch(line)
  expect(holds).toBe(true)
})

test.each([
  ['another quantity', { quantity: '0.02' }, 'The proof shows another quantity than this page.'],
  [
    'another output',
    { reference: `${'cd'.repeat(32)}:0` },
    'The proof shows another transaction than this page.',
  ],
  [
    'another block',
    { block: { height: 1, hash: 'ef'.repeat(32) } },
    'The proof shows another block than this page.',
  ],
  ['no proof', { proof: null }, 'The proof is not readable.'],
  ['a broken proof', { proof: '{"transaction"' }, 'The proof is not readable.'],
])('a proof does not hold for %s', (_name, change, line) => {
  expect(checkProof({ ...bitcoinPayment(), ...change })).toEqual({ holds: false, lines: [line] })
})

test('a proof does not hold for another address', () => {
  const { holds } = checkProof({
    ...bitcoinPayment(),
    address: 'bcrt1q0w9hsun3xrzs0r5zwy4zyjj2rgk8k8hpjzqvxh',
  })
  expect(holds).toBe(false)
})

test('blocks of a test network do not pass for the main network', () => {
  const { holds } = checkProof({
    ...bitcoinPayment(),
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  })
  expect(holds).toBe(false)
})

test('a token of a test chain holds by the contract that the page shows, and is said not to be its issuer’s', () => {
  const contract = `0x${'fa'.repeat(20)}`
  const { holds, lines } = checkProof(tokenPayment('usdc', contract))
  expect(lines).toContain(`The contract ${contract} wrote the transfer.`)
  expect(lines.at(-1)).toContain('It is not Circle’s contract on the main network.')
  expect(holds).toBe(true)
})

test('a token of another contract than the page shows is refused', () => {
  const payment = { ...tokenPayment('usdt', `0x${'fa'.repeat(20)}`), contract: tokenPayment('usdt').contract }
  const { holds, lines } = checkProof(payment)
  expect(lines.join()).toMatch(/The log is from the contract 0xfafa/)
  expect(holds).toBe(false)
})
