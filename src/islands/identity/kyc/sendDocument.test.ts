import { describe, expect, it, vi } from 'vitest'
import type { Recipient } from '../../../contract/identity/kyc.ts'
import { AGE_TYPE } from '../../../contract/uploads.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { sealOnce, sendDocument } from './sendDocument.ts'

const picture = new File(['a picture'], 'passport.png', { type: 'image/png' })
const keyOf = (name: string): Recipient => ({ recipient: `age1${name}`, name, fingerprint: name })
const ana = keyOf('ana')
const ben = keyOf('ben')

const seal = async (_: File, recipients: readonly Recipient[]) => ({
  ok: true as const,
  file: new File([recipients.map(({ recipient }) => recipient).join()], 'document.age', { type: AGE_TYPE }),
  fingerprints: recipients.map(({ fingerprint }) => fingerprint),
  pictureHash: 'ab',
})
const changed = () => new ApiFailure(409, { code: 'recipients_changed', msg: 'Changed.' })

describe('an identity document', () => {
  it('is sent encrypted to the keys that were shown', async () => {
    const load = vi.fn()
    const send = vi.fn(async () => 'taken')
    expect(await sendDocument(picture, [ana], { load, seal, send })).toBe('taken')
    expect(send).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ name: 'document.age' }),
      expect.objectContaining({ fingerprints: ['ana'], pictureHash: 'ab' }),
    )
    expect(load).not.toHaveBeenCalled()
  })

  it('is encrypted anew, unseen, when the keys have changed meanwhile', async () => {
    const send = vi.fn(async (_file: File, _to: { fingerprints: readonly string[] } | null) => 'taken')
    send.mockRejectedValueOnce(changed())
    await sendDocument(picture, [ana], { load: async () => [ana, ben], seal, send })
    expect(send.mock.calls.map(([, to]) => to?.fingerprints)).toEqual([['ana'], ['ana', 'ben']])
  })

  it('is given up when the keys change each time, or for any other refusal', async () => {
    const send = vi.fn().mockRejectedValue(changed())
    const sender = { load: async () => [ana], seal, send }
    await expect(sendDocument(picture, [ana], sender)).rejects.toMatchObject({ code: 'recipients_changed' })
    expect(send).toHaveBeenCalledTimes(3)
    send.mockReset().mockRejectedValue(new ApiFailure(409, { code: 'kyc_open', msg: 'Open.' }))
    await expect(sendDocument(picture, [ana], sender)).rejects.toMatchObject({ code: 'kyc_open' })
    expect(send).toHaveBeenCalledOnce()
  })

  it('is never sent as it is instead of encrypted: not when that fails, not when the keys are gone', async () => {
    const send = vi.fn().mockRejectedValueOnce(changed())
    vi.spyOn(console, 'error').mockImplementationOnce(() => {})
    const broken = async () => Promise.reject(new TypeError('crypto.subtle is undefined'))
    await expect(
      sendDocument(picture, [ana], { load: async () => [ana], seal: broken, send }),
    ).rejects.toMatchObject({ code: 'cannot_encrypt' })
    expect(send).not.toHaveBeenCalled()
    await expect(sendDocument(picture, [ana], { load: async () => [], seal, send })).rejects.toMatchObject({
      code: 'cannot_encrypt',
    })
    expect(send.mock.calls.map(([, to]) => to?.fingerprints)).toEqual([['ana']])
  })

  it('goes as it is where there are no keys, unless there are some by now', async () => {
    const send = vi.fn(async (_file: File, _to: { fingerprints: readonly string[] } | null) => 'taken')
    await sendDocument(picture, [], { load: async () => [], seal, send })
    await sendDocument(picture, [], { load: async () => [ben], seal, send })
    expect(send.mock.calls.map(([file, to]) => [file.name, to?.fingerprints])).toEqual([
      ['passport.png', undefined],
      ['document.age', ['ben']],
    ])
  })

  it('that is not taken for a picture is refused beside its field', async () => {
    const refused = async () => ({ ok: false as const, msg: 'Too small.' })
    const send = vi.fn()
    await expect(
      sendDocument(picture, [ana], { load: async () => [], seal: refused, send }),
    ).rejects.toMatchObject({ status: 422, fields: { image: 'Too small.' } })
    expect(send).not.toHaveBeenCalled()
  })
})

describe('a picture that is sent twice', () => {
  it('is encrypted once for the same keys, and anew for others or after a failure', async () => {
    const counted = vi.fn(seal)
    const once = sealOnce(counted)
    const [first, again] = [await once(picture, [ana]), await once(picture, [ana])]
    expect(again).toBe(first)
    await once(picture, [ana, ben])
    await once(new File(['another'], 'passport.png'), [ana, ben])
    expect(counted).toHaveBeenCalledTimes(3)
    counted.mockRejectedValueOnce(new Error('no memory'))
    await expect(once(picture, [ben])).rejects.toThrow('no memory')
    expect(await once(picture, [ben])).toMatchObject({ ok: true, fingerprints: ['ben'] })
  })
})
