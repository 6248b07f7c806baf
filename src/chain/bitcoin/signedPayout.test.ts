import { base64, hex } from '@scure/base'
import { SigHash, Transaction } from '@scure/btc-signer'
import { RawPSBTV0, RawPSBTV2 } from '@scure/btc-signer/psbt.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finalizePsbt, signPsbt, type TestWallet, testWallet } from '../../../test/support/bitcoinWallet.ts'
import type { DescriptorKind } from './descriptor.ts'
import { buildPayout, replacePayout, toTransaction, type UnsignedPayout } from './payout.ts'
import { buildUnsignedTransaction, encodePsbt, type PayoutContents } from './psbt.ts'
import { checkSignedPayout, combinePayouts } from './signedPayout.ts'
import { parseTransaction, serializeTransaction } from './transaction.ts'

const KINDS: DescriptorKind[] = ['wpkh', 'tr', 'wsh-sortedmulti']
const wallets = {
  wpkh: testWallet('wpkh'),
  tr: testWallet('tr'),
  'wsh-sortedmulti': testWallet('wsh-sortedmulti'),
}
const stranger = testWallet('wsh-sortedmulti', { name: 'stranger' })

function payoutOf({ descriptor, coin, address }: TestWallet): UnsignedPayout {
  return buildPayout({
    descriptor,
    coins: [coin(400_000n, 0), coin(300_000n, 1), coin(200_000n, 2, 'change')],
    payments: [
      { address: stranger.address(0), value: 350_000n },
      { address: address(8), value: 250_000n },
    ],
    changeIndex: 3,
    feeRate: 4,
    maximumFee: 50_000n,
  })
}

const payouts = {
  wpkh: payoutOf(wallets.wpkh),
  tr: payoutOf(wallets.tr),
  'wsh-sortedmulti': payoutOf(wallets['wsh-sortedmulti']),
}

/** As many devices as must sign. */
const signersOf = ({ descriptor, devices }: TestWallet) => devices.slice(0, descriptor.threshold)

const signed = (kind: DescriptorKind) => signPsbt(payouts[kind].psbt.base64, signersOf(wallets[kind]))

describe.each(KINDS)('a payout from %s', (kind) => {
  const [wallet, payout] = [wallets[kind], payouts[kind]]
  const psbt = signed(kind)

  it('may be broadcast once it is signed, from a PSBT in any form and from a raw transaction', () => {
    const raw = finalizePsbt(psbt)
    const finalized = Transaction.fromPSBT(base64.decode(psbt))
    finalized.finalize()
    const files = [
      psbt,
      `${psbt.slice(0, 70)}\n${psbt.slice(70)}\n`,
      base64.decode(psbt),
      hex.encode(base64.decode(psbt)),
      base64.encode(finalized.toPSBT()),
      raw,
      raw.toUpperCase(),
    ]
    for (const file of files) {
      expect(checkSignedPayout(file, payout)).toEqual({
        status: 'complete',
        rawTransaction: raw,
        txid: payout.txid,
        virtualSize: parseTransaction(raw).virtualSize,
        inputs: payout.inputs.map(() => {
          const need = payout.descriptor.threshold
          return { have: need, need, keys: [0, 1, 2].slice(0, need) }
        }),
      })
    }
  })

  it('is at most as large as estimated, and hardly smaller', () => {
    const { virtualSize } = parseTransaction(finalizePsbt(psbt))
    expect(virtualSize).toBeLessThanOrEqual(payout.virtualSize)
    expect(payout.virtualSize - virtualSize).toBeLessThanOrEqual(3)
  })

  it('is refused if anything differs from what was built', () => {
    const [first, second, change] = payout.outputs
    const [coin, other] = payout.inputs
    if (!first || !second || !change || !coin || !other)
      throw new Error('The payout has other outputs or inputs.')
    const tampered: [string, Partial<PayoutContents>, string, string][] = [
      [
        'amount',
        { outputs: [{ ...first, value: first.value - 1n }, second, change] },
        'output_value_changed',
        'output 1 of 3',
      ],
      [
        'address',
        { outputs: [first, { ...second, script: first.script }, change] },
        'output_address_changed',
        'output 2 of 3',
      ],
      [
        'added',
        {
          outputs: [first, second, { ...change, value: change.value - 1_000n }, { ...first, value: 1_000n }],
        },
        'outputs_changed',
        'number of outputs',
      ],
      ['removed', { outputs: [first, second] }, 'outputs_changed', 'number of outputs'],
      ['reordered', { outputs: [second, first, change] }, 'output_address_changed', 'output 1 of 3'],
      [
        'fee',
        { outputs: [first, second, { ...change, value: change.value - 5_000n }] },
        'output_value_changed',
        'output 3 of 3 (change)',
      ],
      [
        'other coin',
        { inputs: [coin, wallet.coin(other.value, 5)] },
        'input_changed',
        `Input 2 of 2 spends ${wallet.coin(other.value, 5).txid}:1 instead of ${other.txid}:1.`,
      ],
      [
        'one more coin',
        { inputs: [coin, other, wallet.coin(300_000n, 5)] },
        'inputs_changed',
        'number of inputs',
      ],
      ['reordered coins', { inputs: [other, coin] }, 'input_order_changed', 'The order of the inputs'],
    ]
    for (const [name, contents, code, words] of tampered) {
      const file = signPsbt(
        encodePsbt(buildUnsignedTransaction({ ...payout, ...contents }), payout.descriptor).base64,
        signersOf(wallet),
      )
      for (const form of [file, finalizePsbt(file)]) {
        expect(() => checkSignedPayout(form, payout), name).toThrow(
          expect.objectContaining({ code, message: expect.stringContaining(words) }),
        )
      }
    }
  })

  it('is refused with another version, lock time or sequence number', () => {
    const raw = parseTransaction(finalizePsbt(psbt))
    const changed = (change: Partial<typeof raw>) => serializeTransaction({ ...raw, ...change })
    expect(() => checkSignedPayout(changed({ version: 1 }), payout)).toThrow(
      expect.objectContaining({ code: 'version_changed' }),
    )
    expect(() => checkSignedPayout(changed({ lockTime: 900_000 }), payout)).toThrow(
      expect.objectContaining({ code: 'lock_time_changed' }),
    )
    const inputs = (change: object) =>
      raw.inputs.map((input, i) => (i === 1 ? { ...input, ...change } : input))
    expect(() => checkSignedPayout(changed({ inputs: inputs({ sequence: 0xffffffff }) }), payout)).toThrow(
      expect.objectContaining({ code: 'sequence_changed', message: expect.stringContaining('input 2 of 2') }),
    )
    expect(() => checkSignedPayout(changed({ inputs: inputs({ script: '51' }) }), payout)).toThrow(
      expect.objectContaining({ code: 'input_changed' }),
    )
  })

  it('is refused with signatures that cover only a part of the transaction', () => {
    for (const sighash of [
      SigHash.ALL_ANYONECANPAY,
      SigHash.NONE,
      SigHash.SINGLE,
      SigHash.SINGLE_ANYONECANPAY,
    ]) {
      const transaction = Transaction.fromPSBT(base64.decode(payout.psbt.base64))
      payout.inputs.forEach((_, i) => {
        transaction.updateInput(i, { sighashType: sighash })
      })
      const file = signPsbt(base64.encode(transaction.toPSBT()), signersOf(wallet), [sighash])
      for (const form of [file, finalizePsbt(file)]) {
        expect(() => checkSignedPayout(form, payout)).toThrow(
          expect.objectContaining({ code: 'bad_sighash', message: expect.stringMatching(/input 1 of 2/i) }),
        )
      }
    }
  })

  it('is refused with any changed byte of a signature', () => {
    const raw = parseTransaction(finalizePsbt(psbt))
    const position = kind === 'wsh-sortedmulti' ? 1 : 0
    const signature = raw.inputs[0]?.witness[position] ?? ''
    fc.assert(
      fc.property(fc.nat(signature.length / 2 - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const bytes = hex.decode(signature)
        bytes[at] = (bytes[at] ?? 0) ^ mask
        const inputs = raw.inputs.map((input, i) =>
          i === 0
            ? {
                ...input,
                witness: input.witness.map((item, j) => (j === position ? hex.encode(bytes) : item)),
              }
            : input,
        )
        expect(() => checkSignedPayout(serializeTransaction({ ...raw, inputs }), payout)).toThrow(
          expect.objectContaining({ name: 'ChainError' }),
        )
      }),
      { numRuns: 25 },
    )
  })

  it('is refused with a witness of another form', () => {
    const raw = parseTransaction(finalizePsbt(psbt))
    const last = raw.inputs[1]?.witness.at(-1) ?? ''
    for (const witness of [[...(raw.inputs[1]?.witness ?? []), '50'], ['', '', '', last], ['00']]) {
      const inputs = raw.inputs.map((input, i) => (i === 1 ? { ...input, witness } : input))
      expect(() => checkSignedPayout(serializeTransaction({ ...raw, inputs }), payout)).toThrow(
        expect.objectContaining({ name: 'ChainError', message: expect.stringMatching(/input 2 of 2/i) }),
      )
    }
  })

  it.each([0, 2])(
    'names a swapped input that does not match its previous transaction, in PSBT version %i',
    (version) => {
      const psbt = RawPSBTV0.decode(base64.decode(payout.psbt.base64))
      const [, second] = psbt.global.unsignedTx?.inputs ?? []
      if (second === undefined) throw new Error('The payout has other inputs.')
      second.txid = new Uint8Array(32).fill(7)
      const kept = psbt.inputs.map(({ nonWitnessUtxo }) => nonWitnessUtxo)
      for (const input of psbt.inputs) delete input.nonWitnessUtxo
      const swapped = Transaction.fromPSBT(RawPSBTV0.encode(psbt)).toPSBT(version)
      const coder = version === 0 ? RawPSBTV0 : RawPSBTV2
      const file = coder.decode(swapped)
      for (const [i, input] of file.inputs.entries()) if (kept[i]) input.nonWitnessUtxo = kept[i]
      expect(() => checkSignedPayout(coder.encode(file as never), payout)).toThrow(
        expect.objectContaining({
          code: 'input_changed',
          message: expect.stringContaining('Input 2 of 2 spends 07070707'),
        }),
      )
    },
  )

  it('waits for signatures, without taking anything else from the file', () => {
    const result = checkSignedPayout(payout.psbt.base64, payout)
    expect(result).toEqual({
      status: 'partial',
      psbt: payout.psbt,
      inputs: payout.inputs.map(() => ({ have: 0, need: payout.descriptor.threshold, keys: [] })),
    })
    expect(checkSignedPayout(serializeTransaction(toTransaction(payout)), payout)).toEqual(result)
  })

  it('ignores values that a signed file claims, and verifies against its own', () => {
    const transaction = Transaction.fromPSBT(base64.decode(payout.psbt.base64), { disableScriptCheck: true })
    const lied = Transaction.fromPSBT(
      base64.decode(
        encodePsbt(
          buildUnsignedTransaction({
            ...payout,
            inputs: payout.inputs.map((input) => ({ ...withoutRaw(input), value: input.value - 1n })),
          }),
          payout.descriptor,
        ).base64,
      ),
    )
    expect(lied.unsignedTx).toEqual(transaction.unsignedTx)
    const file = signPsbt(base64.encode(lied.toPSBT()), signersOf(wallet))
    expect(() => checkSignedPayout(file, payout)).toThrow(expect.objectContaining({ code: 'bad_signature' }))
  })

  it('does not accept the signatures of the payout that it replaces', () => {
    const replacement = replacePayout(payout, { feeRate: 9, maximumFee: 50_000n })
    expect(() => checkSignedPayout(psbt, replacement)).toThrow(
      expect.objectContaining({ code: 'output_value_changed' }),
    )
    const both = signPsbt(replacement.psbt.base64, signersOf(wallet))
    expect(checkSignedPayout(both, replacement)).toMatchObject({ status: 'complete', txid: replacement.txid })
  })
})

const withoutRaw = ({ rawTransaction: _, ...coin }: UnsignedPayout['inputs'][number]) => coin

describe('two people signing', () => {
  const [wallet, payout] = [wallets['wsh-sortedmulti'], payouts['wsh-sortedmulti']]
  const [one, other, third] = wallet.devices.map((device) => signPsbt(payout.psbt.base64, [device]))
  if (one === undefined || other === undefined || third === undefined)
    throw new Error('The wallet has three keys.')

  it('says how many signatures each input has, and whose', () => {
    expect(checkSignedPayout(one, payout)).toMatchObject({
      status: 'partial',
      inputs: [
        { have: 1, need: 2, keys: [0] },
        { have: 1, need: 2, keys: [0] },
      ],
    })
  })

  it('combines what each of them signed, in any order', () => {
    for (const files of [
      [one, other],
      [other, one],
      [third, one],
      [one, other, third],
    ]) {
      expect(combinePayouts(files, payout)).toMatchObject({ status: 'complete', txid: payout.txid })
    }
    expect(
      combinePayouts([third, finalizePsbt(signPsbt(payout.psbt.base64, wallet.devices.slice(0, 2)))], payout),
    ).toMatchObject({
      inputs: [{ keys: [0, 1, 2] }, { keys: [0, 1, 2] }],
    })
    expect(combinePayouts([one, one], payout)).toMatchObject({
      status: 'partial',
      inputs: [{ have: 1 }, { have: 1 }],
    })
    expect(combinePayouts([], payout)).toMatchObject({
      status: 'partial',
      inputs: [{ have: 0 }, { have: 0 }],
    })
  })

  it('lets the second sign what the first one signed', () => {
    const first = checkSignedPayout(one, payout)
    if (first.status === 'complete') throw new Error('One signature must not be enough.')
    const second = signPsbt(first.psbt.base64, wallet.devices.slice(2))
    expect(checkSignedPayout(second, payout)).toMatchObject({ status: 'complete', txid: payout.txid })
    expect(finalizePsbt(second)).toBe(
      (checkSignedPayout(second, payout) as { rawTransaction: string }).rawTransaction,
    )
  })

  it('refuses the whole combination if one file was tampered with', () => {
    const outputs = payout.outputs.map((output, i) =>
      i === 0 ? { ...output, value: output.value + 1n } : output,
    )
    const tampered = signPsbt(
      encodePsbt(buildUnsignedTransaction({ ...payout, outputs }), payout.descriptor).base64,
      wallet.devices.slice(1, 2),
    )
    expect(() => combinePayouts([one, tampered], payout)).toThrow(
      expect.objectContaining({ code: 'output_value_changed' }),
    )
  })

  it('refuses a signature of somebody else, also beside enough others', () => {
    const [device] = stranger.devices
    const signature =
      Transaction.fromPSBT(base64.decode(one)).getInput(0).partialSig?.[0]?.[1] ?? new Uint8Array()
    for (const file of [payout.psbt.base64, signed('wsh-sortedmulti')]) {
      const transaction = Transaction.fromPSBT(base64.decode(file))
      transaction.updateInput(0, { partialSig: [[device?.publicKey ?? new Uint8Array(33), signature]] }, true)
      expect(() => checkSignedPayout(base64.encode(transaction.toPSBT()), payout)).toThrow(
        expect.objectContaining({
          code: 'foreign_signature',
          message: expect.stringContaining('Input 1 of 2'),
        }),
      )
    }
  })

  it('refuses a signature of one person as that of another', () => {
    const transaction = Transaction.fromPSBT(base64.decode(one))
    const [[, signature] = []] = transaction.getInput(0).partialSig ?? []
    const [[otherKey] = []] = Transaction.fromPSBT(base64.decode(other)).getInput(0).partialSig ?? []
    if (signature === undefined || otherKey === undefined) throw new Error('Both signed.')
    transaction.updateInput(0, { partialSig: [[otherKey, signature]] }, true)
    expect(() => checkSignedPayout(base64.encode(transaction.toPSBT()), payout)).toThrow(
      expect.objectContaining({ code: 'bad_signature' }),
    )
  })
})

describe('a file that is not a signed payout', () => {
  it('is refused with a reason', () => {
    const payout = payouts.wpkh
    for (const file of [
      'hello',
      '',
      'cHNidP8=',
      new Uint8Array(),
      Uint8Array.of(1, 2, 3),
      '!'.repeat(9),
      'A'.repeat(8_000_001),
    ]) {
      expect(() => checkSignedPayout(file, payout)).toThrow(expect.objectContaining({ name: 'ChainError' }))
    }
  })

  it('never leads to anything but a refusal or a wait, whatever its bytes are', () => {
    const bytes = base64.decode(signed('wpkh'))
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const changed = Uint8Array.from(bytes)
        changed[at] = value
        try {
          const result = checkSignedPayout(changed, payouts.wpkh)
          // A changed byte in what is ignored changes nothing.
          if (result.status === 'complete') expect(result.txid).toBe(payouts.wpkh.txid)
        } catch (error) {
          expect(error).toMatchObject({ name: 'ChainError' })
        }
      }),
    )
  })

  it('is refused if it spends with somebody else’s wallet', () => {
    const file = signPsbt(
      payoutOf(testWallet('wpkh', { name: 'stranger' })).psbt.base64,
      testWallet('wpkh', { name: 'stranger' }).devices,
    )
    expect(() => checkSignedPayout(file, payouts.wpkh)).toThrow(
      expect.objectContaining({ code: 'input_changed' }),
    )
  })
})
