import { Transaction } from 'micro-eth-signer'
import { RLP } from 'micro-eth-signer/core/rlp.js'
import { describe, expect, it } from 'vitest'
import { type PayoutFields, signPayout, TEST_ADDRESSES } from '../../../test/support/ethereumChain.ts'
import { parseHex, toHex } from './hex.ts'
import { buildPayout, checkSignedPayout, type PayoutOrder, replacePayout } from './payout.ts'
import { TOKENS } from './tokens.ts'

const refused = (code: string, message = '') =>
  expect.objectContaining({ name: 'ChainError', code, message: expect.stringContaining(message) })

const [from, to, other] = TEST_ADDRESSES
const GWEI = 10n ** 9n
const [usdt] = TOKENS
if (!usdt) throw new Error('There is no token.')

const ether: PayoutOrder = {
  chainId: 1,
  nonce: 7,
  from,
  to,
  asset: 'ether',
  quantity: 1_250_000_000_000_000_000n,
  gasLimit: 21_000n,
  maxFeePerGas: 30n * GWEI,
  maxPriorityFeePerGas: 1n * GWEI,
}
const token: PayoutOrder = { ...ether, asset: usdt, quantity: 250_500_000n, gasLimit: 80_000n }

describe('a payout', () => {
  it('of ether is what another implementation builds', () => {
    const payout = buildPayout(ether)
    const expected = Transaction.prepare({
      nonce: 7n,
      to,
      value: ether.quantity,
      gasLimit: 21_000n,
      maxFeePerGas: 30n * GWEI,
      maxPriorityFeePerGas: GWEI,
    })
    expect(payout.unsigned).toBe(expected.toHex())
    expect(payout.transaction).toEqual({
      type: '0x2',
      chainId: '0x1',
      nonce: '0x7',
      from,
      to,
      value: '0x1158e460913d0000',
      data: '0x',
      gas: '0x5208',
      maxFeePerGas: '0x6fc23ac00',
      maxPriorityFeePerGas: '0x3b9aca00',
      accessList: [],
    })
    expect(payout.summary).toEqual({
      from,
      to,
      amount: '1.25',
      symbol: 'ETH',
      contract: null,
      nonce: 7,
      maxNetworkFee: '0.00063',
    })
  })

  it('of a token calls its contract and sends no ether', () => {
    const payout = buildPayout({ ...token, to: to.toLowerCase() })
    const { raw } = Transaction.fromHex(payout.unsigned)
    expect(raw).toMatchObject({ to: usdt.contract, value: 0n, gasLimit: 80_000n })
    // transfer(address,uint256) has the selector a9059cbb.
    const data = `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${(250_500_000).toString(16).padStart(64, '0')}`
    expect(raw).toMatchObject({ data })
    expect(payout.transaction).toMatchObject({ to: usdt.contract, value: '0x0', data })
    expect(payout.summary).toEqual({
      from,
      to,
      amount: '250.5',
      symbol: 'USDT',
      contract: usdt.contract,
      nonce: 7,
      maxNetworkFee: '0.0024',
    })
  })

  it.each([
    [1n, '0.000001'],
    [1_000_000n, '1'],
    [10_000_001n, '10.000001'],
    [123_456_789_000_000n, '123456789'],
  ])('of %d units of USDT reads as %s', (quantity, amount) => {
    expect(buildPayout({ ...token, quantity }).summary.amount).toBe(amount)
  })

  it.each<[string, Partial<PayoutOrder>, string]>([
    ['of nothing', { quantity: 0n }, 'quantity'],
    ['of less than nothing', { quantity: -1n }, 'quantity'],
    ['above 256 bits', { quantity: 2n ** 256n }, 'quantity'],
    ['to a mistyped address', { to: to.replace('C5', 'c5') }, 'mistyped'],
    ['to nobody', { to: `0x${'00'.repeat(20)}` }, 'Nobody'],
    ['from no address', { from: 'treasury' }, 'address'],
    ['with half a nonce', { nonce: 0.5 }, 'nonce'],
    ['with a negative nonce', { nonce: -1 }, 'nonce'],
    ['on no chain', { chainId: 0 }, 'chain id'],
    ['with too little gas', { gasLimit: 20_999n }, 'gas limit'],
    ['without a fee', { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }, 'fee'],
    ['with a negative fee', { maxPriorityFeePerGas: -1n }, 'fee'],
    ['with a priority fee above the maximum', { maxPriorityFeePerGas: 31n * GWEI }, 'priority fee'],
    ['of a token of another chain', { asset: { ...usdt, chainId: 5 } }, 'another chain'],
    ['of a token to its own contract', { asset: usdt, to: usdt.contract }, 'lost'],
  ])('%s is refused', (_name, change, message) => {
    expect(() => buildPayout({ ...ether, ...change })).toThrow(refused('invalid_payout', message))
  })
})

describe('a replacement', () => {
  it('is the same payout with fees an eighth higher', () => {
    const replacement = replacePayout(token)
    expect(replacement).toEqual(
      buildPayout({ ...token, maxFeePerGas: 33_750_000_000n, maxPriorityFeePerGas: 1_125_000_000n }),
    )
    expect(replacement.summary.nonce).toBe(7)
  })

  it('rounds fees up', () => {
    const { transaction } = replacePayout({ ...ether, maxFeePerGas: 9n, maxPriorityFeePerGas: 0n })
    expect(transaction).toMatchObject({ maxFeePerGas: '0xb', maxPriorityFeePerGas: '0x1' })
  })

  it('can have higher fees, but not lower ones', () => {
    const fees = { maxFeePerGas: 60n * GWEI, maxPriorityFeePerGas: 2n * GWEI }
    expect(replacePayout(ether, fees)).toEqual(buildPayout({ ...ether, ...fees }))
    for (const low of [
      { ...fees, maxFeePerGas: 33_749_999_999n },
      { ...fees, maxPriorityFeePerGas: 1_124_999_999n },
    ]) {
      expect(() => replacePayout(ether, low)).toThrow(refused('fee_too_low'))
      expect(() => replacePayout(ether, low)).toThrow(
        'at least 33.75 gwei per unit of gas, and a priority fee of at least 1.125 gwei',
      )
    }
  })
})

describe('a signed payout', () => {
  it.each([
    ['ether', ether],
    ['a token', token],
  ])('of %s is accepted as it was approved', (_name, order) => {
    const payout = buildPayout(order)
    const raw = signPayout(payout.unsigned)
    expect(checkSignedPayout(`  ${raw}\n`, payout)).toEqual({ raw, hash: Transaction.fromHex(raw).hash })
  })

  const payout = buildPayout(token)
  const elsewhere = String(buildPayout({ ...token, to: other }).transaction.data)
  it.each<[string, Partial<PayoutFields>, string]>([
    ['chain id', { chainId: 5n }, 'chain_id_differs'],
    ['nonce', { nonce: 8n }, 'nonce_differs'],
    ['maximum priority fee', { maxPriorityFeePerGas: 2n * GWEI }, 'max_priority_fee_differs'],
    ['maximum fee', { maxFeePerGas: 31n * GWEI }, 'max_fee_differs'],
    ['gas limit', { gasLimit: 80_001n }, 'gas_limit_differs'],
    ['receiver', { to: other }, 'receiver_differs'],
    ['value', { value: 1n }, 'value_differs'],
    ['data', { data: elsewhere }, 'data_differs'],
    ['access list', { accessList: [{ address: other, storageKeys: [] }] }, 'access_list_differs'],
  ])('with another %s is refused, and the field named', (name, change, code) => {
    expect(() => checkSignedPayout(signPayout(payout.unsigned, { change }), payout)).toThrow(
      refused(code, name),
    )
  })

  it('names both numbers', () => {
    expect(() => checkSignedPayout(signPayout(payout.unsigned, { change: { nonce: 8n } }), payout)).toThrow(
      'The nonce of the signed transaction is 8. Approved was 7.',
    )
  })

  it('by another key is refused', () => {
    const raw = signPayout(payout.unsigned, { steps: '/0/1' })
    expect(() => checkSignedPayout(raw, payout)).toThrow(refused('signer_differs', TEST_ADDRESSES[1]))
  })

  it('that was replaced is not the original', () => {
    expect(() => checkSignedPayout(signPayout(replacePayout(token).unsigned), payout)).toThrow(
      refused('max_priority_fee_differs'),
    )
  })

  /** The signed transaction with its fields changed behind the wallet's back. */
  function altered(change: (fields: Uint8Array[]) => void): string {
    const fields = RLP.decode(parseHex(signPayout(payout.unsigned), '').subarray(1)) as Uint8Array[]
    change(fields)
    return `0x02${toHex(RLP.encode(fields)).slice(2)}`
  }

  it('with an altered signature is refused', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const highS = altered((fields) => {
      const [parity, s] = [fields[9]?.[0] ?? 0, BigInt(toHex(fields[11] ?? new Uint8Array(1)))]
      fields[9] = parity === 1 ? new Uint8Array(0) : Uint8Array.of(1)
      fields[11] = parseHex(`0x${(order - s).toString(16).padStart(64, '0')}`, 's')
    })
    expect(() => checkSignedPayout(highS, payout)).toThrow(refused('invalid_signature'))
    const otherParity = altered((fields) => {
      fields[9] = fields[9]?.length ? new Uint8Array(0) : Uint8Array.of(1)
    })
    expect(() => checkSignedPayout(otherParity, payout)).toThrow(refused('signer_differs'))
    for (const parity of [2, 27]) {
      const impossible = altered((fields) => {
        fields[9] = Uint8Array.of(parity)
      })
      expect(() => checkSignedPayout(impossible, payout)).toThrow(refused('invalid_signature'))
    }
    const empty = altered((fields) => {
      fields[10] = new Uint8Array(0)
    })
    expect(() => checkSignedPayout(empty, payout)).toThrow(refused('invalid_signature'))
  })

  it('with a field that is not canonical is refused', () => {
    const padded = altered((fields) => {
      fields[1] = Uint8Array.of(0, 7)
    })
    expect(() => checkSignedPayout(padded, payout)).toThrow(refused('nonce_differs', '0x0007'))
    const list = altered((fields) => {
      fields.splice(6, 1, [] as unknown as Uint8Array)
    })
    expect(() => checkSignedPayout(list, payout)).toThrow(refused('value_differs'))
  })

  it.each([
    ['nothing', '', 'invalid_hex'],
    ['no hexadecimal data', 'signed', 'invalid_hex'],
    ['the unsigned payout', payout.unsigned, 'invalid_rlp'],
    ['a legacy transaction', '0xc0', 'type_differs'],
    ['trailing bytes', `${signPayout(payout.unsigned)}00`, 'invalid_rlp'],
    ['a missing field', altered((fields) => fields.splice(11, 1)), 'invalid_rlp'],
    ['a further field', altered((fields) => fields.push(new Uint8Array(1))), 'invalid_rlp'],
  ])('is not %s', (_name, raw, code) => {
    expect(() => checkSignedPayout(raw, payout)).toThrow(refused(code))
  })
})
