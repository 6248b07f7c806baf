import { expect, test } from 'vitest'
import { bitcoinPayment, etherPayment, tetherPayment } from '../../../../test/support/provedPayments.ts'
import { checkProof } from './checkProof.ts'

test.each([
  ['bitcoin', bitcoinPayment, /the Merkle path leads to the block’s header/],
  ['ether', etherPayment, /the transaction and its receipt/],
  ['USDT', tetherPayment, /Tether’s own contract wrote the transfer/],
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

test('a token with another contract is refused, whatever the server says', () => {
  const { holds, lines } = checkProof(tetherPayment(`0x${'fa'.repeat(20)}`))
  expect(holds).toBe(false)
  expect(lines[1]).toContain('Only Tether’s contract on the main network is accepted here.')
})
