import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { copyJpeg } from '../src/pictures/samples.ts'
import { countBytes } from '../test/support/countBytes.ts'
import { ORIGIN } from '../test/support/http.ts'
import { newInvestor, type Person } from '../test/support/people.ts'
import { newWallet } from '../test/support/wallets.ts'
import { createApp } from './app.ts'
import { siteRoutes } from './siteRoutes.ts'

// An isolate has 128 MB for all requests at once. `test/bench/memory.mjs` measures what several uploads take of them.

const PICTURE_BYTES = 4_000_000
/** For everything but the picture: fields, session, statements. */
const SMALL_BYTES = 200_000
const app = createApp(siteRoutes)

test('a receipt is in memory once, on its way from the request to the storage', async () => {
  const { address } = await newWallet()
  const fields = { type: 'bitcoin', amount: '10', paymentTo: address }
  const made = await countUpload(await newInvestor(), '/deposits', fields)
  expect(made).toBeGreaterThan(PICTURE_BYTES)
  expect(made).toBeLessThan(PICTURE_BYTES + SMALL_BYTES)
})

test('an identity document is in memory once as it was sent and once encrypted', async () => {
  const made = await countUpload(await newInvestor({ kyc: 'none' }), '/kyc', { document: 'Passport' })
  expect(made).toBeGreaterThan(2 * PICTURE_BYTES)
  expect(made).toBeLessThan(2 * PICTURE_BYTES + SMALL_BYTES)
})

/** The bytes of the buffers that the Worker makes for one upload. */
async function countUpload({ token }: Person, path: string, fields: Record<string, string>): Promise<number> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image', new File([largePicture()], 'picture.jpg', { type: 'image/jpeg' }))
  const encoded = new Response(form)
  const body = await encoded.arrayBuffer()
  const request = new Request(`${ORIGIN}/api/v1${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': encoded.headers.get('Content-Type') ?? '',
      'Content-Length': String(body.byteLength),
    },
    body,
  })
  const context = createExecutionContext()
  return countBytes(async () => {
    const response = await app.fetch(request, env, context)
    expect([response.status, await response.text()]).toEqual([201, expect.any(String)])
    await waitOnExecutionContext(context)
  })
}

/** A JPEG with a comment, which is taken out, and very many coded pixels. */
function largePicture(): Uint8Array<ArrayBuffer> {
  const comment = new Uint8Array(60_000).fill(120)
  const head = Uint8Array.of(0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 0xff)
  const pixels = new Uint8Array(PICTURE_BYTES).fill(0x11)
  const parts = [
    copyJpeg().subarray(0, 2),
    head,
    comment,
    copyJpeg().subarray(2, -2),
    pixels,
    copyJpeg().subarray(-2),
  ]
  return new Uint8Array(Buffer.concat(parts))
}
