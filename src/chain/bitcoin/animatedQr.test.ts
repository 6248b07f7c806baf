import { base64 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { signPsbt, testWallet } from '../../../test/support/bitcoinWallet.ts'
import { encodeUr } from '../ur/multipart.ts'
import { encodePsbtFrames, PsbtScanner } from './animatedQr.ts'
import { buildPayout } from './payout.ts'
import { checkSignedPayout } from './signedPayout.ts'

/** The example of BCR-2020-006. */
const EXAMPLE =
  'ur:psbt/hdosjojkidjyzmadaenyaoaeaeaeaohdvsknclrejnpebncnrnmnjojofejzeojlkerdonspkpkkdkykfelokgprpyutkpaeaeaeaeaezmzmzmzmlslgaaditiwpihbkispkfgrkbdaslewdfycprtjsprsgksecdratkkhktikewdcaadaeaeaeaezmzmzmzmaojopkwtayaeaeaeaecmaebbtphhdnjstiambdassoloimwmlyhygdnlcatnbggtaevyykahaeaeaeaecmaebbaeplptoevwwtyakoonlourgofgvsjydpcaltaemyaeaeaeaeaeaeaeaeaebkgdcarh'

describe('a PSBT as an animated QR code', () => {
  it('reads and writes the example of the standard', () => {
    const psbt = new PsbtScanner().receive(EXAMPLE)
    expect(Buffer.from(psbt ?? []).toString('latin1')).toMatch(/^psbt\xff/)
    const [length, ...body] = [0x58, psbt?.length ?? 0]
    expect(encodeUr('psbt', Uint8Array.from([length ?? 0, ...body, ...(psbt ?? [])]), 1_000)).toEqual([
      EXAMPLE,
    ])
    expect(new PsbtScanner().receive(encodePsbtFrames(psbt ?? new Uint8Array(), 1_000)[0] ?? '')).toEqual(
      psbt,
    )
  })

  it('goes to a device in many frames, some of which may be missed, and comes back signed', () => {
    const wallet = testWallet('wsh-sortedmulti')
    const payout = buildPayout({
      descriptor: wallet.descriptor,
      coins: [wallet.coin(500_000n, 0), wallet.coin(400_000n, 1)],
      payments: [{ address: wallet.address(3), value: 700_000n }],
      changeIndex: 0,
      feeRate: 2,
      maximumFee: 10_000n,
    })
    const frames = encodePsbtFrames(base64.decode(payout.psbt.base64))
    expect(frames.length).toBeGreaterThan(15)
    for (const frame of frames) expect(frame).toMatch(/^UR:CRYPTO-PSBT\/\d+-\d+\/[A-Z]{200,300}$/)
    const device = new PsbtScanner()
    // The camera misses every sixth frame of the first round.
    const seen = [...frames.filter((_, i) => i % 6 !== 5), ...frames]
    const received = seen.reduce<Uint8Array | null>((psbt, frame) => psbt ?? device.receive(frame), null)
    expect(base64.encode(received ?? new Uint8Array())).toBe(payout.psbt.base64)

    const signed = signPsbt(base64.encode(received ?? new Uint8Array()), wallet.devices.slice(0, 2))
    const scanner = new PsbtScanner()
    const back = encodePsbtFrames(base64.decode(signed)).reduce<Uint8Array | null>(
      (psbt, frame) => psbt ?? scanner.receive(frame),
      null,
    )
    expect(checkSignedPayout(back ?? new Uint8Array(), payout)).toMatchObject({
      status: 'complete',
      txid: payout.txid,
    })
    expect(scanner.progress.have).toBe(scanner.progress.need)
  })

  it('refuses other codes', () => {
    for (const text of ['bitcoin:bc1q', 'ur:crypto-hdkey/oxax', 'ur:bytes/aeadaolazmjendeoti']) {
      expect(() => new PsbtScanner().receive(text)).toThrow(expect.objectContaining({ code: 'not_a_psbt' }))
    }
  })
})
