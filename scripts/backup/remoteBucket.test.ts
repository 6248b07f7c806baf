import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerS3, type S3File } from '../../test/support/cloudflare/s3.ts'
import { readRequest, send } from '../../test/support/cloudflare/server.ts'
import { hashSha256 } from './bucket.ts'
import { openRemoteBucket } from './remoteBucket.ts'

const HOST = 'acc.eu.r2.cloudflarestorage.com'
const config = {
  name: 'files',
  jurisdiction: 'eu',
  accountId: 'acc',
  compatibilityDate: undefined,
}
const stored = new Map<string, S3File>()
const tokens = ['reader', 'writer'].map((accessKeyId) => ({
  accessKeyId,
  secretAccessKey: `secret of ${accessKeyId}`,
  bucket: 'files',
  mayWrite: accessKeyId === 'writer',
}))
let server: Server
/** How many of the next requests fail as they do when R2 is overloaded. */
let failures = 0

beforeAll(async () => {
  server = createServer(async (incoming, outgoing) => {
    const request = await readRequest(incoming, new URL(incoming.url ?? '/', 'http://localhost'))
    const answer = answerS3(request, tokens, (host, name) =>
      host === HOST && name === 'files' ? stored : undefined,
    )
    const isFailing = failures-- > 0
    await send(outgoing, isFailing || !answer ? new Response('', { status: 503 }) : answer)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
afterAll(() => server.close())
beforeEach(() => {
  stored.clear()
  failures = 0
})

function environment(accessKeyId = 'writer') {
  return {
    R2_ACCESS_KEY_ID: accessKeyId,
    R2_SECRET_ACCESS_KEY: `secret of ${accessKeyId}`,
    R2_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
}

describe('the deployed bucket', () => {
  it('keeps bytes, HTTP metadata and custom metadata beyond ASCII', async () => {
    const files = await openRemoteBucket(config, 'write', environment())
    const bytes = new Uint8Array(70_000).map((_, i) => i % 251)
    const file = {
      key: 'kyc/ana (1)+ä.bin',
      size: bytes.length,
      sha256: hashSha256(bytes),
      httpMetadata: { contentType: 'application/age', contentDisposition: 'attachment' },
      customMetadata: { by: 'ana', city: 'Zürich 北京' },
    }
    await files.put(file, bytes)
    const found = await files.get(file.key)
    expect(found?.file).toEqual(file)
    expect(found?.bytes).toEqual(bytes)
    await files.delete(file.key)
    expect(await files.get(file.key)).toBeNull()
  })

  it('lists the keys of all uploads, page by page, and nothing else', async () => {
    const files = await openRemoteBucket(config, 'read', environment('reader'))
    const keys = Array.from({ length: 2050 }, (_, i) => `receipts/${String(i).padStart(5, '0')} ä+&`)
    for (const key of [...keys, 'kyc/one', 'coins/btc.png'])
      stored.set(key, { bytes: new Uint8Array(), headers: {} })
    expect(await files.keys()).toEqual([...keys, 'kyc/one'])
  })

  it('asks again while R2 is overloaded, and then names the file', async () => {
    const files = await openRemoteBucket(config, 'read', environment('reader'), { retries: 2 })
    stored.set('kyc/one', { bytes: new Uint8Array([1]), headers: {} })
    failures = 2
    expect((await files.get('kyc/one'))?.bytes).toEqual(new Uint8Array([1]))
    failures = 3
    await expect(files.get('kyc/one')).rejects.toThrow('File kyc/one: status 503')
  })
})

describe('a wrong token or bucket is explained when the bucket is opened', () => {
  it('without a token', async () => {
    const missing = openRemoteBucket(config, 'read', { ...environment(), R2_SECRET_ACCESS_KEY: '' })
    await expect(missing).rejects.toThrow(
      /^R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY are not set\. .*"Object Read only" for the bucket files alone/,
    )
  })

  it('with a wrong or revoked one, without showing it', async () => {
    const wrong = { ...environment(), R2_SECRET_ACCESS_KEY: 'another secret' }
    const refused = openRemoteBucket(config, 'write', wrong)
    await expect(refused).rejects.toThrow(
      /do not belong together, or the token was revoked\. .*"Object Read & Write"/,
    )
    await expect(refused).rejects.not.toThrow('another secret')
  })

  it('for another bucket', async () => {
    await expect(openRemoteBucket({ ...config, name: 'other' }, 'read', environment())).rejects.toThrow(
      'the token may not do this',
    )
  })

  it('without the jurisdiction of the bucket, instead of finding no files', async () => {
    const elsewhere = { ...config, jurisdiction: undefined }
    await expect(openRemoteBucket(elsewhere, 'read', environment())).rejects.toThrow(
      'there is no bucket files at acc.r2.cloudflarestorage.com. A bucket that was created with --jurisdiction eu needs `jurisdiction = "eu"`',
    )
  })

  it('without an account', async () => {
    const nobody = openRemoteBucket({ ...config, accountId: undefined }, 'read', environment())
    await expect(nobody).rejects.toThrow('give account_id in wrangler.toml')
  })

  it('when nothing answers', async () => {
    const dead = { ...environment(), R2_ENDPOINT: 'http://127.0.0.1:1' }
    await expect(openRemoteBucket(config, 'read', dead)).rejects.toThrow(`no answer from ${HOST}`)
  })
})

it('a token that may only read cannot write', async () => {
  const files = await openRemoteBucket(config, 'write', environment('reader'))
  const file = { key: 'kyc/one', size: 1, sha256: '', httpMetadata: {}, customMetadata: {} }
  await expect(files.put(file, new Uint8Array([1]))).rejects.toThrow(
    /^File kyc\/one: the token may not do this\. .*"Object Read & Write"/,
  )
  expect(stored.size).toBe(0)
})
