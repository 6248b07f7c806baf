import { expect, test } from 'vitest'
import { UPLOAD_WORDS } from '../src/contract/uploads.ts'
import { call, send } from '../test/support/http.ts'
import { as } from '../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../test/support/people.ts'
import { MARK, UPLOADS, type Upload } from '../test/support/uploadCorpus.ts'
import { newWallet } from '../test/support/wallets.ts'

test('there are enough files to try, and each is another', () => {
  expect(UPLOADS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(UPLOADS.map(({ what }) => what)).size).toBe(UPLOADS.length)
})

test.each(UPLOADS.map((upload) => [upload.what, upload] as const))(
  'as a receipt and as an identity document, %s is treated as decided',
  { timeout: 60_000 },
  async (_, upload) => {
    const operator = await newOperator()
    const [payer, newcomer] = [await newInvestor(), await newInvestor({ kyc: 'none' })]
    const { address } = await newWallet()
    const deposit = await sent(payer, '/deposits', upload, {
      type: 'bitcoin',
      amount: '10',
      paymentTo: address,
    })
    const document = await sent(newcomer, '/kyc', upload, { document: 'Passport' })
    expect([deposit, document].map(({ status }) => status)).toEqual([statusOf(upload), statusOf(upload)])
    const [submission] = (await call<{ _id: string }[]>('GET', '/kyc', { token: newcomer.token })).body
    if (!('taken' in upload.decided)) {
      const { word } = upload.decided
      for (const { body } of [deposit, document]) {
        expect(body.msg.length).toBeGreaterThan(10)
        if (word !== null)
          expect(body).toMatchObject({ msg: UPLOAD_WORDS[word], fields: { image: UPLOAD_WORDS[word] } })
      }
      // Nothing of it was stored.
      expect(submission).toBeUndefined()
      expect((await as<unknown[]>(payer, 'GET', '/transaction-history')).body).toHaveLength(0)
      return
    }
    for (const path of [
      `/operator/deposits/${deposit.body._id}/receipt`,
      `/operator/kyc/${submission?._id}/document`,
    ])
      await expectHarmless(await send('GET', path, { token: operator.token }), upload.decided.taken)
  },
)

function statusOf({ decided }: Upload): number {
  return 'taken' in decided ? 201 : decided.status
}

function sent({ token }: Person, path: string, { files }: Upload, fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const file of files) form.append('image', file, file.name)
  return call('POST', path, { token, form })
}

/** The picture comes back as a download of its real type, without scripts and without appended data. */
async function expectHarmless(response: Response, type: string): Promise<void> {
  const { status, headers } = response
  expect(status).toBe(200)
  expect(headers.get('Content-Type')).toBe(type)
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename="[A-Z]+-[A-Z0-9-]+\.[a-z]+"$/)
  expect(headers.get('Content-Security-Policy')).toContain("sandbox; default-src 'none'")
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.length).toBeGreaterThan(50)
  for (const part of [MARK, '<script', '<?php', 'PK\x03\x04'])
    expect([part, bytes.includes(part, 0, 'latin1')]).toEqual([part, false])
}
