import { useTestStorageEngine as keepInMemory } from '@nanostores/persistent'
import { afterEach, expect, test, vi } from 'vitest'
import { parseVerificationLink, verifyOnce } from './VerifyEmail.tsx'

keepInMemory()

afterEach(() => vi.unstubAllGlobals())

test('a link is redeemed once, however often the page asks', async () => {
  const fetched = answering(200, { msg: 'Verified.' })
  const link = { email: 'ana@example.com', verificationToken: 'token-1' }
  expect(await Promise.all([verifyOnce(link), verifyOnce({ ...link })])).toEqual([
    { msg: 'Verified.' },
    { msg: 'Verified.' },
  ])
  await verifyOnce(link)
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('a refusal stays the outcome, and another link is another matter', async () => {
  const fetched = answering(400, { msg: 'Expired.', code: 'invalid_token' })
  const link = { email: 'ana@example.com', verificationToken: 'token-2' }
  await expect(verifyOnce(link)).rejects.toMatchObject({ code: 'invalid_token' })
  await expect(verifyOnce(link)).rejects.toMatchObject({ code: 'invalid_token' })
  await expect(verifyOnce({ ...link, verificationToken: 'token-3' })).rejects.toThrow('Expired.')
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('a link without its address or its token is none', () => {
  expect(parseVerificationLink(new URLSearchParams('email=a%40example.com&verificationToken=t'))).toEqual({
    email: 'a@example.com',
    verificationToken: 't',
  })
  expect(parseVerificationLink(new URLSearchParams('email=a%40example.com'))).toBeNull()
  expect(parseVerificationLink(new URLSearchParams('verificationToken=t'))).toBeNull()
})

function answering(status: number, body: object) {
  const fetched = vi.fn(async () => new Response(JSON.stringify(body), { status }))
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', fetched)
  return fetched
}
