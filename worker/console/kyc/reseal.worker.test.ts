import { env } from 'cloudflare:workers'
import { Decrypter } from 'age-encryption'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OperatorKyc } from '../../../src/contract/console/kyc.ts'
import type { Recipient } from '../../../src/contract/identity/kyc.ts'
import { copyPng, copyWebp } from '../../../src/pictures/samples.ts'
import { type AnyBody, call, send } from '../../../test/support/http.ts'
import { as, statuses } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import {
  ageFile,
  asRecipients,
  fingerprintsOf,
  newKeyPair,
  newReviewer,
  type Reviewer,
  recipientsFor,
  sealTo,
  submitSealed,
} from '../../../test/support/reviewers.ts'
import { withNewHeader } from '../../../test/support/withNewHeader.ts'
import { buildDocumentContext } from '../../identity/kyc/submit.ts'
import { openVault } from '../../lib/crypto/vault.ts'

let rea: Reviewer
beforeAll(async () => {
  rea = await newReviewer('Rea Viewer')
})

interface Stored {
  readonly id: string
  readonly file_key: string
  readonly wrapped_key: string
  readonly replaced_file: string | null
}

async function storedOf(person: Person): Promise<Stored> {
  const row = await env.DB.prepare('SELECT * FROM kyc_submissions WHERE user_id = ?')
    .bind(person.id)
    .first<Stored>()
  if (row === null) throw new Error('No document was stored.')
  return row
}

/** A document encrypted to the current keys, before another reviewer's key was active. */
async function outdated() {
  const ana = await newInvestor({ kyc: 'none' })
  await submitSealed(ana, copyPng())
  const joined = await newReviewer('Jo Ined')
  return { ana, joined, stored: await storedOf(ana), today: await recipientsFor(ana) }
}

async function fileFor(operator: Person, id: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await send('GET', `/operator/kyc/${id}/document`, { token: operator.token })
  return new Uint8Array(await answer.arrayBuffer())
}

function put(by: Person, id: string, file: Uint8Array<ArrayBuffer>, recipients: readonly Recipient[]) {
  const form = { image: ageFile(file), recipients: fingerprintsOf(recipients) }
  return call<OperatorKyc & AnyBody>('PUT', `/operator/kyc/${id}/document`, { token: by.token, form })
}

async function opened(file: Uint8Array, identity: string): Promise<Uint8Array> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return decrypter.decrypt(file)
}

const rowFor = async (operator: Person, id: string) =>
  (await as<OperatorKyc[]>(operator, 'GET', '/operator/kyc')).body.find(({ _id }) => _id === id)

test('only outdated documents are listed, before and after resealing', async () => {
  const { ana, stored, today } = await outdated()
  const ids = async (query: string) =>
    (await as<OperatorKyc[]>(rea, 'GET', `/operator/kyc?limit=100${query}`)).body.map(({ _id }) => _id)
  const told = async () =>
    (await as<OperatorKyc[]>(rea, 'GET', '/operator/kyc?limit=100')).body
      .filter((row) => row.outdated)
      .map(({ _id }) => _id)
  expect(await ids('&outdated=true')).toContain(stored.id)
  expect(await ids('&outdated=true')).toEqual(await told())
  expect(await ids('&outdated=true&status=approved')).not.toContain(stored.id)
  await put(rea, stored.id, await withNewHeader(await fileFor(rea, stored.id), rea.identity, today), today)
  expect(await ids('&outdated=true')).not.toContain(stored.id)
  expect(await ids('&outdated=true')).toEqual(await told())
  const plain = await newInvestor({ kyc: 'none' })
  await submitSealed(plain, copyPng())
  expect(await ids('&outdated=true')).toEqual(await told())
  expect(await ids('&outdated=')).toContain((await storedOf(ana)).id)
  expect((await as(rea, 'GET', '/operator/kyc?outdated=yes')).status).toBe(422)
})

test('a new reviewer opens an older document once another reviewer has resealed it', async () => {
  const { ana, joined, stored, today } = await outdated()
  expect(await rowFor(rea, stored.id)).toMatchObject({ outdated: true })
  const before = await fileFor(rea, stored.id)
  await expect(opened(before, joined.identity)).rejects.toThrow()

  const reply = await put(rea, stored.id, await withNewHeader(before, rea.identity, today), today)
  expect(reply).toMatchObject({ status: 200, body: { _id: stored.id, sealedBy: 'browser', outdated: false } })
  expect(reply.body.sealedTo.toSorted()).toEqual(today.map(({ fingerprint }) => fingerprint).toSorted())
  expect(await rowFor(rea, stored.id)).toMatchObject(reply.body)
  expect([...(await opened(await fileFor(joined, stored.id), joined.identity))]).toEqual([...copyPng()])

  const { results } = await env.DB.prepare(
    "SELECT actor FROM audit_log WHERE subject = ? AND action = 'kyc.document_resealed'",
  )
    .bind(stored.id)
    .all()
  expect(results).toEqual([{ actor: rea.id }])
  expect((await storedOf(ana)).replaced_file).toBe(stored.file_key)
})

test('a reviewer who left opens no document once all are resealed', async () => {
  const { joined: gone, stored, ana } = await outdated()
  await put(
    rea,
    stored.id,
    await withNewHeader(await fileFor(rea, stored.id), rea.identity, await recipientsFor(ana)),
    await recipientsFor(ana),
  )
  expect([...(await opened(await fileFor(gone, stored.id), gone.identity))]).toEqual([...copyPng()])
  const [key] = (
    await as<{ _id: string; recipient: string }[]>(rea, 'GET', '/operator/kyc/keys')
  ).body.filter(({ recipient }) => recipient === gone.recipient)
  expect((await as(rea, 'POST', `/operator/kyc/keys/${key?._id}/retire`)).status).toBe(200)
  expect(await rowFor(rea, stored.id)).toMatchObject({ outdated: true })
  const today = await recipientsFor(ana)
  await put(rea, stored.id, await withNewHeader(await fileFor(rea, stored.id), rea.identity, today), today)
  await expect(opened(await fileFor(gone, stored.id), gone.identity)).rejects.toThrow()
})

test('resealing shreds the former file: its key and the file are deleted', async () => {
  const { ana, stored, today } = await outdated()
  const before = (await (await env.FILES.get(stored.file_key))?.bytes()) ?? new Uint8Array()
  await put(rea, stored.id, await withNewHeader(await fileFor(rea, stored.id), rea.identity, today), today)
  await expect.poll(async () => env.FILES.head(stored.file_key)).toBeNull()
  const after = await storedOf(ana)
  expect(after.wrapped_key).not.toBe(stored.wrapped_key)
  // A copy of the old file cannot be decrypted with what is stored now.
  const vault = openVault(env.VAULT_KEYS)
  for (const key of [stored.file_key, after.file_key])
    await expect(
      vault.openFile(before, after.wrapped_key, buildDocumentContext(ana.id, key)),
    ).rejects.toThrow()
})

test('of two reviewers who reseal a document in parallel one wins, and the other’s file is deleted', async () => {
  const { ana, joined, stored, today } = await outdated()
  const file = await fileFor(rea, stored.id)
  const files = async () => (await env.FILES.list({ prefix: 'kyc/' })).objects.map(({ key }) => key)
  const before = new Set(await files())
  const replies = await Promise.all(
    [rea, joined, rea, joined].map(async (by) =>
      put(by, stored.id, await withNewHeader(file, rea.identity, today), today),
    ),
  )
  expect(statuses(replies)).toEqual({ 200: 1, 409: 3 })
  const { file_key } = await storedOf(ana)
  await expect.poll(async () => (await files()).filter((key) => !before.has(key))).toEqual([file_key])
  await expect.poll(async () => (await files()).includes(stored.file_key)).toBe(false)
  expect([...(await opened(await fileFor(joined, stored.id), joined.identity))]).toEqual([...copyPng()])
})

describe('another document is refused', () => {
  test('another picture, a byte more or less, a byte changed, chunks in another order', async () => {
    const { ana, stored, today } = await outdated()
    const again = await withNewHeader(await fileFor(rea, stored.id), rea.identity, today)
    const changed = new Uint8Array(again)
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
    const hostile = [
      await sealTo(today, copyWebp()),
      // The same picture under another file key: other bytes, which nobody can compare.
      await sealTo(today, copyPng()),
      new Uint8Array([...again, 0]),
      again.slice(0, -1),
      changed,
    ]
    for (const file of hostile) {
      const reply = await put(rea, stored.id, file, today)
      expect(reply).toMatchObject({
        status: 422,
        body: { fields: { image: 'This is not the stored document' } },
      })
    }
    expect(await storedOf(ana)).toEqual(stored)
  })

  test('another investor’s document in its place', async () => {
    const { stored, today } = await outdated()
    const other = await newInvestor({ kyc: 'none' })
    await submitSealed(other, copyPng())
    const theirs = await fileFor(rea, (await storedOf(other)).id)
    expect((await put(rea, stored.id, theirs, today)).status).toBe(422)
  })

  test('a file encrypted to other keys than the current ones, or not an age file', async () => {
    const { stored, today } = await outdated()
    const file = await fileFor(rea, stored.id)
    const stranger = await asRecipients((await newKeyPair()).recipient)
    for (const to of [today.slice(1), [...today, ...stranger], stranger])
      expect(await put(rea, stored.id, await withNewHeader(file, rea.identity, to), to)).toMatchObject({
        status: 409,
        body: { code: 'recipients_changed' },
      })
    expect((await put(rea, stored.id, new Uint8Array(copyPng()), today)).body.fields).toEqual({
      image: expect.stringMatching(/is not/),
    })
    const nothing = await call('PUT', `/operator/kyc/${stored.id}/document`, { token: rea.token, form: {} })
    expect(Object.keys(nothing.body.fields ?? {}).toSorted()).toEqual(['image', 'recipients'])
  })
})

test('documents encrypted by the server, shredded ones and missing ones cannot be resealed', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
  const plain = await storedOf(ana)
  const today = await recipientsFor(ana)
  const file = await sealTo(today, copyPng())
  expect(await put(rea, plain.id, file, today)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect((await put(rea, 'no-such-document', file, today)).status).toBe(404)

  const { stored, today: later } = await outdated()
  const again = await withNewHeader(await fileFor(rea, stored.id), rea.identity, later)
  await env.DB.prepare('UPDATE kyc_submissions SET wrapped_key = NULL WHERE id = ?').bind(stored.id).run()
  expect((await put(rea, stored.id, again, later)).status).toBe(404)
  expect(await rowFor(rea, stored.id)).toMatchObject({ outdated: false })
})

test('only a reviewer reseals, and the database refuses to replace a file that is not stored', async () => {
  const { stored, today } = await outdated()
  const file = await fileFor(rea, stored.id)
  const auditor = await newOperator({ roles: ['auditor', 'treasurer', 'administrator'] })
  for (const by of [auditor, await newInvestor()])
    expect(await put(by, stored.id, file, today)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const swap = (replaced: string, wrapped: string | null) =>
    env.DB.prepare('UPDATE kyc_submissions SET file_key = ?, wrapped_key = ?, replaced_file = ? WHERE id = ?')
      .bind('kyc/another', wrapped, replaced, stored.id)
      .run()
  await expect(swap('kyc/one-before', '1.abc')).rejects.toThrow('conflict')
  await expect(swap(stored.file_key, stored.wrapped_key)).rejects.toThrow('conflict')
  await expect(swap(stored.file_key, null)).rejects.toThrow('conflict')
  await expect(
    env.DB.prepare("UPDATE kyc_submissions SET sealed_by = 'server' WHERE id = ?").bind(stored.id).run(),
  ).rejects.toThrow('conflict')
})
