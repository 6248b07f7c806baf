import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { KycRecord } from '../../../src/contract/identity/kyc.ts'
import { type CallOptions, call } from '../../../test/support/http.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import { buildDocumentContext } from './submit.ts'

const submit = (person: { token: string }, options: CallOptions = {}) =>
  call('POST', '/kyc', {
    token: person.token,
    form: { document: 'Passport', image: newPicture() },
    ...options,
  })
const list = (person: { token: string }, query = '') =>
  call<KycRecord[]>('GET', `/kyc${query}`, { token: person.token })
const rowsOf = (person: { id: string }) =>
  env.DB.prepare('SELECT * FROM kyc_submissions WHERE user_id = ?')
    .bind(person.id)
    .all<Record<string, string>>()

test('a document is stored encrypted, bound to its owner, and pending', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  expect(await list(ana)).toMatchObject({ status: 200, body: [] })
  expect(await submit(ana)).toMatchObject({ status: 201, body: { msg: expect.any(String) } })

  const { results } = await rowsOf(ana)
  const [row] = results
  expect(row).toMatchObject({ status: 'pending', media_type: 'image/png', key_version: 1 })
  const stored = await env.FILES.get(row?.file_key ?? '')
  const sealed = new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer())
  expect(new TextDecoder('latin1').decode(sealed)).not.toContain('PNG')
  const vault = openVault(env.VAULT_KEYS)
  const fileKey = row?.file_key ?? ''
  const opened = await vault.openFile(sealed, row?.wrapped_key ?? '', buildDocumentContext(ana.id, fileKey))
  expect(new TextDecoder('latin1').decode(opened.slice(1, 4))).toBe('PNG')
  await expect(
    vault.openFile(sealed, row?.wrapped_key ?? '', buildDocumentContext('another', fileKey)),
  ).rejects.toThrow()

  const mine = await list(ana)
  expect(mine.body).toEqual([
    {
      _id: row?.id,
      status: 'pending',
      document: 'Passport',
      createdAt: expect.stringMatching(/Z$/),
      sealedBy: 'server',
      looks: [],
    },
  ])
  expect(await list(await newInvestor({ kyc: 'none' }))).toMatchObject({ body: [] })
})

test('fields come before the state: a wrong field is 422 even with a pending document, then it is 409', async () => {
  for (const kyc of ['pending', 'approved'] as const) {
    const ana = await newInvestor({ kyc })
    const wrong = await submit(ana, { form: { document: 'Licence' } })
    expect(wrong.status).toBe(422)
    expect(wrong.body.fields).toEqual({
      document: 'Please choose a verification method',
      image: 'Please upload a picture of your document',
    })
    expect(await submit(ana)).toMatchObject({ status: 409, body: { code: 'kyc_open' } })
  }
})

test('after a rejection the reason can be read, newest first, and another document is taken', async () => {
  const ana = await newInvestor({ kyc: 'rejected' })
  expect(await submit(ana)).toMatchObject({ status: 201 })
  const { body } = await list(ana)
  expect(body.map(({ status }) => status)).toEqual(['pending', 'rejected'])
  expect(body[1]?.reason).toBe('The picture is blurred')
  expect(body[0]).not.toHaveProperty('reason')
})

test('the list is paged', async () => {
  const ana = await newInvestor({ kyc: 'rejected' })
  await submit(ana)
  const first = await list(ana, '?limit=1')
  expect(first.body).toHaveLength(1)
  const next = /<\/api\/v1\/kyc(\?[^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? ''
  const second = await list(ana, next)
  expect(second.body.map(({ status }) => status)).toEqual(['rejected'])
  expect(second.headers.get('Link')).toBeNull()
})

test('of ten parallel documents one is accepted, and no other file stays', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  const files = async () => (await env.FILES.list({ prefix: 'kyc/' })).objects.length
  const before = await files()
  const replies = await Promise.all(Array.from({ length: 10 }, () => submit(ana)))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(replies.filter(({ body }) => body.code === 'kyc_open')).toHaveLength(9)
  await expect.poll(files).toBe(before + 1)
})

test('a repeated key gives the first answer', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  const form = { document: 'Passport', image: newPicture() }
  const first = await submit(ana, { form, idempotencyKey: 'kyc-1' })
  const again = await submit(ana, { form, idempotencyKey: 'kyc-1' })
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers.get('Idempotency-Replayed')).toBe('true')
  expect((await rowsOf(ana)).results).toHaveLength(1)
})

test('only signed-in investors send documents, also frozen ones', async () => {
  expect(await call('POST', '/kyc', { form: {} })).toMatchObject({ status: 401 })
  expect(await submit(await newOperator())).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await submit(await newInvestor({ kyc: 'none', frozen: true }))).toMatchObject({ status: 201 })
})
