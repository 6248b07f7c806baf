import { base64 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { Transaction } from '@scure/btc-signer'
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testWallet } from '../../../test/support/bitcoinWallet.ts'
import { deriveChangeScript, deriveOutput } from './derive.ts'
import { type DescriptorKind, parseDescriptor } from './descriptor.ts'
import { stripChecksum } from './descriptorChecksum.ts'
import { buildPayout, type PayoutRequest, replacePayout } from './payout.ts'
import { computeDustLimit } from './payoutSize.ts'
import { parseTransaction } from './transaction.ts'

const KINDS: DescriptorKind[] = ['wpkh', 'tr', 'wsh-sortedmulti']
const wallets = {
  wpkh: testWallet('wpkh'),
  tr: testWallet('tr'),
  'wsh-sortedmulti': testWallet('wsh-sortedmulti'),
}
const wallet = wallets.wpkh
const investor = testWallet('tr', { name: 'investor' })

const request = (change: Partial<PayoutRequest> = {}): PayoutRequest => ({
  descriptor: wallet.descriptor,
  coins: [wallet.coin(50_000n, 0), wallet.coin(900_000n, 1), wallet.coin(200_000n, 2, 'change')],
  payments: [
    { address: investor.address(0), value: 300_000n },
    { address: wallet.address(9), value: 100_000n },
  ],
  changeIndex: 4,
  feeRate: 5,
  maximumFee: 50_000n,
  ...change,
})

const refuses = (change: Partial<PayoutRequest>, code: string) =>
  expect(() => buildPayout(request(change))).toThrow(expect.objectContaining({ code }))

describe('building a payout', () => {
  it('takes the largest coin, pays in the given order and returns the rest', () => {
    const payout = buildPayout(request())
    expect(payout.inputs.map(({ value }) => value)).toEqual([900_000n])
    expect(payout.outputs.map(({ kind, value }) => [kind, value])).toEqual([
      ['payment', 300_000n],
      ['payment', 100_000n],
      ['change', 500_000n - payout.fee],
    ])
    expect(payout.outputs[2]?.script).toBe(deriveChangeScript(wallet.descriptor, 4))
    expect(payout.fee).toBe(BigInt(5 * payout.virtualSize))
    expect(payout.virtualSize).toBe(184)
  })

  it.each(KINDS)('writes a PSBT for %s with all that a device needs', (kind) => {
    const { descriptor, coin, devices } = wallets[kind]
    const payout = buildPayout(request({ descriptor, coins: [coin(500_000n, 7)] }))
    expect(Buffer.from(payout.psbt.hex, 'hex').toString('base64')).toBe(payout.psbt.base64)
    const psbt = Transaction.fromPSBT(base64.decode(payout.psbt.base64))
    expect(psbt.version).toBe(2)
    expect(psbt.lockTime).toBe(0)
    const input = psbt.getInput(0)
    expect(input.sequence).toBe(0xfffffffd)
    expect(input.witnessUtxo?.amount).toBe(500_000n)
    expect(parseTransaction(Buffer.from(psbt.unsignedTx).toString('hex'))).toMatchObject({
      txid: payout.txid,
      isReplaceable: true,
    })
    const { keys, witnessScript } = deriveOutput(descriptor, 'receive', 7)
    const origins = keys.map(({ fingerprint, path }) => ({
      fingerprint: Number.parseInt(fingerprint, 16),
      path,
    }))
    expect(origins.map(({ fingerprint }) => fingerprint)).toEqual(devices.map((device) => device.fingerprint))
    const change = psbt.getOutput(2)
    if (kind === 'tr') {
      expect(input.tapBip32Derivation?.map(([, { der }]) => der)).toEqual(origins)
      expect(input.nonWitnessUtxo).toBeUndefined()
      expect(change.tapBip32Derivation?.[0]?.[1].der.path.slice(-2)).toEqual([1, 4])
    } else {
      expect(new Set(input.bip32Derivation?.map(([, der]) => der))).toEqual(new Set(origins))
      expect(input.nonWitnessUtxo?.outputs[1]?.amount).toBe(500_000n)
      expect(change.bip32Derivation?.[0]?.[1].path.slice(-2)).toEqual([1, 4])
    }
    expect(input.witnessScript === undefined ? null : Buffer.from(input.witnessScript).toString('hex')).toBe(
      witnessScript,
    )
    expect(psbt.getOutput(0).bip32Derivation).toBeUndefined()
  })

  // HWI takes a cosigner's key from PSBT_GLOBAL_XPUB by fingerprint and path. Without it a Ledger signs no input, a BitBox02 refuses, and
  // a Trezor does not recognise the change.
  it('gives the extended key of each cosigner, from which hardware derives the keys of inputs and change', () => {
    const { descriptor, coin } = wallets['wsh-sortedmulti']
    const payout = buildPayout(request({ descriptor, coins: [coin(500_000n, 7)] }))
    const psbt = RawPSBTV0.decode(base64.decode(payout.psbt.base64))
    const cosigners = (psbt.global.xpub ?? []).map(([{ publicKey, chainCode, depth }, origin]) => ({
      ...origin,
      depth,
      key: new HDKey({ publicKey, chainCode }),
    }))
    expect(cosigners.map(({ depth, path }) => [depth, path.length])).toEqual([
      [4, 4],
      [4, 4],
      [4, 4],
    ])
    const derivations = [psbt.inputs[0], psbt.outputs[2]].flatMap((part) => part?.bip32Derivation ?? [])
    expect(derivations).toHaveLength(6)
    for (const [publicKey, { fingerprint, path }] of derivations) {
      const cosigner = cosigners.find(
        (known) =>
          known.fingerprint === fingerprint &&
          known.path.every((step: number, i: number) => step === path[i]),
      )
      const rest: number[] = path.slice(cosigner?.path.length)
      const derived = rest.reduce<HDKey | undefined>((node, step) => node?.deriveChild(step), cosigner?.key)
      expect(derived?.publicKey).toEqual(publicKey)
    }
  })

  it('leaves out the extended key of a cosigner whose origin contradicts it, and of wallets with one key', () => {
    const { descriptor, coin } = wallets['wsh-sortedmulti']
    const text = stripChecksum(descriptor.text).replace('/48h/1h/0h/2h]', '/48h/1h/0h]')
    const contradicted = parseDescriptor(text, 'regtest')
    const countKeys = ({ psbt }: { psbt: { base64: string } }) =>
      RawPSBTV0.decode(base64.decode(psbt.base64)).global.xpub?.length ?? 0
    expect(countKeys(buildPayout(request({ descriptor: contradicted, coins: [coin(500_000n, 7)] })))).toBe(2)
    expect(countKeys(buildPayout(request()))).toBe(0)
  })

  it('gives the same transaction whatever the order of the coins', () => {
    const coins = Array.from({ length: 6 }, (_, i) => wallet.coin(100_000n, i))
    const payout = buildPayout(request({ coins }))
    expect(buildPayout(request({ coins: coins.toReversed() }))).toEqual(payout)
    expect(payout.inputs).toHaveLength(5)
    expect(payout.inputs.map(({ txid }) => txid)).toEqual(payout.inputs.map(({ txid }) => txid).toSorted())
  })

  it('keeps inputs, outputs and fee in balance for any coins, payments and fee rate', () => {
    const values = fc.array(fc.integer({ min: 200, max: 2_000_000 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(
        fc.constantFrom(...KINDS),
        values,
        values,
        fc.double({ min: 1, max: 60, noNaN: true }),
        (kind, held, paid, feeRate) => {
          const { descriptor, coin } = wallets[kind]
          const coins = held.map((value, i) => coin(BigInt(value), i))
          const payments = paid.map((value, i) => ({
            address: investor.address(i % 3),
            value: BigInt(value) + 330n,
          }))
          const total = (amounts: readonly { value: bigint }[]) =>
            amounts.reduce((sum, { value }) => sum + value, 0n)
          let payout: ReturnType<typeof buildPayout>
          try {
            payout = buildPayout({
              descriptor,
              coins,
              payments,
              changeIndex: 0,
              feeRate,
              maximumFee: 10_000_000n,
            })
          } catch (error) {
            expect(error).toMatchObject({ code: 'insufficient_coins' })
            expect(total(coins)).toBeLessThan(
              total(payments) + BigInt(Math.ceil(feeRate * (1_200 + 110 * held.length))),
            )
            return
          }
          expect(total(payout.inputs)).toBe(total(payout.outputs) + payout.fee)
          expect(Number(payout.fee)).toBeGreaterThanOrEqual(payout.virtualSize * feeRate)
          // At most the change that would be dust, and its own output, go to the fee.
          expect(Number(payout.fee)).toBeLessThanOrEqual(payout.virtualSize * feeRate + 331 + 44 * feeRate)
          expect(
            payout.outputs.slice(0, payments.length).map(({ value, address }) => ({ address, value })),
          ).toEqual(payments)
          for (const { script, value } of payout.outputs)
            expect(value).toBeGreaterThanOrEqual(computeDustLimit(script))
        },
      ),
      { numRuns: 25 },
    )
  })

  it('gives change that would be dust to the fee', () => {
    const exact = request({ coins: [wallet.coin(400_000n + 770n + 290n, 0)] })
    const payout = buildPayout(exact)
    expect(payout.outputs.map(({ kind }) => kind)).toEqual(['payment', 'payment'])
    expect(payout.fee).toBe(1_060n)
  })

  it('does not spend coins that cost more than they are worth', () => {
    const coins = [wallet.coin(401_000n, 0), wallet.coin(300n, 1), wallet.coin(350n, 2)]
    expect(buildPayout(request({ coins })).inputs).toHaveLength(1)
    refuses(
      { coins: coins.slice(1), payments: [{ address: investor.address(0), value: 330n }] },
      'insufficient_coins',
    )
  })

  it.each<[string, Partial<PayoutRequest>, string]>([
    ['no payments', { payments: [] }, 'no_payments'],
    [
      'more than the coins are worth',
      { payments: [{ address: investor.address(0), value: 1_149_000n }] },
      'insufficient_coins',
    ],
    ['no coins', { coins: [] }, 'insufficient_coins'],
    ['dust', { payments: [{ address: investor.address(0), value: 329n }] }, 'dust'],
    ['nothing', { payments: [{ address: investor.address(0), value: 0n }] }, 'dust'],
    ['a negative amount', { payments: [{ address: investor.address(0), value: -1n }] }, 'dust'],
    ['too much', { payments: [{ address: investor.address(0), value: 2_100_000_000_000_001n }] }, 'too_much'],
    [
      'an address of another network',
      { payments: [{ address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', value: 1000n }] },
      'bad_address',
    ],
    ['a fee above the ceiling', { feeRate: 500 }, 'fee_too_high'],
    ['a fee rate that nodes ignore', { feeRate: 0.5 }, 'fee_too_low'],
    ['a fee rate that is no number', { feeRate: Number.NaN }, 'fee_too_low'],
    ['a coin twice', { coins: [wallet.coin(900_000n, 1), wallet.coin(900_000n, 1)] }, 'duplicate_coin'],
    ['a coin without value', { coins: [{ ...wallet.coin(1n, 1), value: 0n }] }, 'bad_coin'],
    [
      'a coin with another value than its transaction',
      { coins: [{ ...wallet.coin(900_000n, 1), value: 900_001n }] },
      'bad_coin',
    ],
    ['a coin of another address', { coins: [{ ...wallet.coin(900_000n, 1), index: 2 }] }, 'bad_coin'],
    ['a coin of another output', { coins: [{ ...wallet.coin(900_000n, 1), vout: 0 }] }, 'bad_coin'],
    ['an impossible change address', { changeIndex: -1 }, 'bad_index'],
    [
      'more payments than nodes relay',
      {
        coins: [wallet.coin(2_000_000_000n, 0)],
        payments: Array(2_400).fill({ address: investor.address(0), value: 330n }),
        maximumFee: 1_000_000n,
      },
      'too_large',
    ],
  ])('refuses %s', (_, change, code) => {
    refuses(change, code)
  })

  it('knows what is dust as nodes do', () => {
    expect(computeDustLimit(`0014${'00'.repeat(20)}`)).toBe(294n)
    expect(computeDustLimit(`0020${'00'.repeat(32)}`)).toBe(330n)
    expect(computeDustLimit(`5120${'00'.repeat(32)}`)).toBe(330n)
    expect(computeDustLimit(`76a914${'00'.repeat(20)}88ac`)).toBe(546n)
    expect(computeDustLimit(`a914${'00'.repeat(20)}87`)).toBe(540n)
  })
})

describe('replacing a payout', () => {
  const previous = buildPayout(request())

  it('pays the same with a higher fee from the change', () => {
    const next = replacePayout(previous, { feeRate: 20, maximumFee: 50_000n })
    expect(next.inputs).toEqual(previous.inputs)
    expect(next.outputs.slice(0, 2)).toEqual(previous.outputs.slice(0, 2))
    expect(next.outputs[2]).toEqual({ ...previous.outputs[2], value: 500_000n - next.fee })
    expect(next.fee).toBe(BigInt(20 * previous.virtualSize))
    expect(next.txid).not.toBe(previous.txid)
  })

  it('pays at least the old fee and one satoshi for each virtual byte', () => {
    const next = replacePayout(previous, { feeRate: 5.1, maximumFee: 50_000n })
    expect(next.fee).toBe(previous.fee + BigInt(previous.virtualSize))
  })

  it('drops the change, then adds confirmed coins, when the change is too small', () => {
    const tight = buildPayout(request({ coins: [wallet.coin(402_000n, 0)] }))
    expect(tight.outputs).toHaveLength(3)
    const dropped = replacePayout(tight, { feeRate: 11, maximumFee: 50_000n })
    expect(dropped.outputs).toHaveLength(2)
    expect(dropped.fee).toBe(2_000n)
    const extra = [wallet.coin(100_000n, 5)]
    const added = replacePayout(tight, { feeRate: 30, maximumFee: 50_000n, coins: extra })
    expect(added.inputs).toHaveLength(2)
    expect(added.inputs).toContainEqual(tight.inputs[0])
    expect(added.outputs).toHaveLength(3)
    expect(() => replacePayout(tight, { feeRate: 30, maximumFee: 50_000n })).toThrow(
      expect.objectContaining({ code: 'insufficient_coins' }),
    )
    expect(() => replacePayout(tight, { feeRate: 30, maximumFee: 50_000n, coins: tight.inputs })).toThrow(
      expect.objectContaining({ code: 'duplicate_coin' }),
    )
  })

  it('says the rate that it needs if a further small coin would make it cheaper for its size', () => {
    const value = 400_000n
    const exact = buildPayout(
      request({
        coins: [wallet.coin(value, 1)],
        payments: [{ address: investor.address(0), value: value - 12_300n }],
        feeRate: 100,
      }),
    )
    expect(exact.outputs).toHaveLength(1)
    const replace = (feeRate: number) =>
      replacePayout(exact, { feeRate, maximumFee: 90_000n, coins: [wallet.coin(90_000n, 2)] })
    const needed = Math.ceil((Number(exact.fee) / exact.virtualSize + 1) * 100) / 100
    expect(() => replace(1)).toThrow(`needs at least ${needed} satoshi per virtual byte`)
    expect(replace(needed).fee).toBeGreaterThan(exact.fee)
  })

  it('can itself be replaced, and has a ceiling', () => {
    const second = replacePayout(previous, { feeRate: 10, maximumFee: 50_000n })
    const third = replacePayout(second, { feeRate: 15, maximumFee: 50_000n })
    expect(third.fee).toBe(BigInt(15 * third.virtualSize))
    expect(() => replacePayout(third, { feeRate: 400, maximumFee: 50_000n })).toThrow(
      expect.objectContaining({ code: 'fee_too_high' }),
    )
    expect(() => replacePayout(previous, { feeRate: 0, maximumFee: 50_000n })).toThrow(
      expect.objectContaining({ code: 'fee_too_low' }),
    )
  })
})
