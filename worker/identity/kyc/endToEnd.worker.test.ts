import { env } from 'cloudflare:workers'
import { Decrypter } from 'age-encryption'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OperatorKyc } from '../../../src/contract/console/kyc.ts'
import {
  computeRecipientFingerprint,
  type KycRecord,
  RECOVERY_NAME,
  type Recipient,
} from '../../../src/contract/identity/kyc.ts'
import { copyPng } from '../../../src/pictures/samples.ts'
import { call, send } from '../../../test/support/http.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
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
import { openVault } from '../../lib/crypto/vault.ts'
import { readAge } from '../../lib/files/age.ts'
import { buildDocumentContext } from './submit.ts'

// The private development key from CONTRIBUTING.md.
const RECOVERY_IDENTITY = 'AGE-SECRET-KEY-1AXPMNRMHHU5HG9MRH7MR8A8G6FHUH6LVPN9ZMVXXRZGEESQT3R7SAYWHW7'

let rea: Reviewer
let ron: Reviewer
beforeAll(async () => {
  rea = await newReviewer('Rea Viewer')
  ron = await newReviewer('Ron Ader')
})

const open = async (file: Uint8Array, identity: string) => {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return [...(await decrypter.decrypt(file))]
}
const rowOf = async (person: { id: string }) => {
  const row = await env.DB.prepare('SELECT * FROM kyc_submissions WHERE user_id = ?')
    .bind(person.id)
    .first<Record<string, string>>()
  if (row === null) throw new Error('No document was stored.')
  return row
}
const documentFor = (operator: { token: string }, id = '') =>
  send('GET', `/operator/kyc/${id}/document`, { token: operator.token })

test('a browser gets the reviewers’ keys with name and fingerprint, the recovery key last', async () => {
  const recipients = await recipientsFor(await newInvestor())
  expect(recipients.slice(-3)).toEqual([
    {
      recipient: rea.recipient,
      name: 'Rea Viewer',
      fingerprint: await computeRecipientFingerprint(rea.recipient),
    },
    {
      recipient: ron.recipient,
      name: 'Ron Ader',
      fingerprint: await computeRecipientFingerprint(ron.recipient),
    },
    {
      recipient: env.KYC_RECOVERY_RECIPIENT,
      name: RECOVERY_NAME,
      fingerprint: expect.stringMatching(/^([0-9A-F]{4} ){4}[0-9A-F]{4}$/),
    },
  ])
  expect((await call('GET', '/kyc/recipients')).status).toBe(401)
})

describe('a document that a browser encrypted', () => {
  test('a document opens with each reviewer’s key and the recovery key, and with no other', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    expect(await submitSealed(ana, copyPng())).toMatchObject({ status: 201 })
    const { id } = await rowOf(ana)
    const answer = await documentFor(rea, id)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/age',
      'content-disposition': expect.stringMatching(/^attachment; filename="KYC-[0-9A-Z]{8}\.age"$/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const file = await answer.bytes()
    for (const identity of [rea.identity, ron.identity, RECOVERY_IDENTITY])
      expect(await open(file, identity)).toEqual([...copyPng()])
    await expect(open(file, (await newKeyPair()).identity)).rejects.toThrow()
  })

  test('a document that a browser encrypted cannot be read with everything the server stores and all its secrets', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    await submitSealed(ana, copyPng())
    const row = await rowOf(ana)
    const stored = await env.FILES.get(row.file_key ?? '')
    const outer = new Uint8Array(await (stored?.arrayBuffer() ?? new ArrayBuffer()))
    // VAULT_KEYS opens the outer layer. The browser encrypted the inner one to keys that are not stored here.
    const inner = await openVault(env.VAULT_KEYS).openFile(
      outer,
      row.wrapped_key ?? '',
      buildDocumentContext(ana.id, row.file_key ?? ''),
    )
    expect(readAge(inner)?.recipients).toBe((await recipientsFor(ana)).length)
    const everything = [text(outer), text(inner), ...(await allColumns()), JSON.stringify(env.VAULT_KEYS)]
    for (const secret of [
      rea.identity,
      ron.identity,
      RECOVERY_IDENTITY,
      'AGE-SECRET-KEY-',
      text(copyPng()).slice(0, 16),
    ])
      expect(everything.filter((each) => each.includes(secret)).map((each) => each.slice(0, 80))).toEqual([])
    // Nor is anything stored a key: no column is an identity that opens the file.
    const identities = (await allColumns()).flatMap((each) => each.match(/AGE-SECRET-KEY-1[0-9A-Z]+/gi) ?? [])
    expect(identities).toEqual([])
  })

  test('reviewers cannot read a document either once its wrapped key is deleted', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    await submitSealed(ana, copyPng())
    const { id = '', file_key = '', wrapped_key = '' } = await rowOf(ana)
    const outer = new Uint8Array((await (await env.FILES.get(file_key))?.arrayBuffer()) ?? new ArrayBuffer())
    await env.DB.prepare('UPDATE kyc_submissions SET wrapped_key = NULL WHERE id = ?').bind(id).run()
    expect((await documentFor(rea, id)).status).toBe(404)
    // The file still exists, but only keys of other files are left.
    expect(readAge(outer)).toBeNull()
    const vault = openVault(env.VAULT_KEYS)
    const others = (
      await env.DB.prepare('SELECT wrapped_key FROM kyc_submissions').all<{ wrapped_key: string | null }>()
    ).results
    for (const { wrapped_key: other } of others)
      if (other !== null && other !== wrapped_key)
        await expect(vault.openFile(outer, other, buildDocumentContext(ana.id, file_key))).rejects.toThrow()
    await expect(open(outer, rea.identity)).rejects.toThrow()
  })

  test('the owner’s list shows that the browser encrypted the document, and who looked when', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    await submitSealed(ana, copyPng())
    const { id } = await rowOf(ana)
    const list = async () => (await call<KycRecord[]>('GET', '/kyc', { token: ana.token })).body[0]
    expect(await list()).toMatchObject({ sealedBy: 'browser', looks: [] })
    const before = Date.now()
    await documentFor(rea, id)
    await documentFor(ron, id)
    const looks = (await list())?.looks ?? []
    expect(looks.map(({ by }) => by)).toEqual(['Ron Ader', 'Rea Viewer'])
    for (const { at } of looks) expect(Date.parse(at)).toBeGreaterThanOrEqual(before)
    const data = await call<{ identityDocuments: { looks: unknown[]; encryptedTo: unknown[] }[] }>(
      'GET',
      '/users/data',
      { token: ana.token },
    )
    expect(data.body.identityDocuments[0]).toMatchObject({
      encryptedBy: 'browser',
      looks: looks.toReversed().map(({ at }) => ({ at })),
    })
    expect(data.body.identityDocuments[0]?.encryptedTo).toContainEqual({ publicKey: rea.recipient })
    const changed = env.DB.prepare('UPDATE kyc_looks SET reviewer = ? WHERE submission_id = ?')
      .bind(ana.id, id)
      .run()
    await expect(changed).rejects.toThrow(/immutable/)
  })

  test('says in the reviewers’ queue to whom it is sealed', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    await submitSealed(ana, copyPng())
    const { id } = await rowOf(ana)
    const [row] = (await as<OperatorKyc[]>(rea, 'GET', '/operator/kyc?limit=1')).body
    expect(row).toMatchObject({ _id: id, sealedBy: 'browser', mediaType: 'application/age', outdated: false })
    const today = (await recipientsFor(ana)).map(({ fingerprint }) => fingerprint)
    expect(row?.sealedTo.toSorted()).toEqual(today.toSorted())
  })
})

describe('an upload marked as encrypted', () => {
  const sendFile = (person: { token: string }, image: Blob, recipients?: string) =>
    call('POST', '/kyc', {
      token: person.token,
      form: {
        document: 'Passport',
        image,
        ...(recipients !== undefined && { recipients, pictureHash: 'ab'.repeat(32) }),
      },
    })

  test('a document is refused unless it is encrypted to exactly the current keys', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    const today = await recipientsFor(ana)
    const stranger = await asRecipients((await newKeyPair()).recipient)
    const wrong: (readonly Recipient[])[] = [
      today.slice(1),
      today.slice(0, -1),
      [...today, ...stranger],
      [...today.slice(0, -1), ...stranger],
      stranger,
      [...today, today[0] as Recipient],
    ]
    for (const recipients of wrong) {
      const reply = await submitSealed(ana, copyPng(), recipients)
      expect(reply).toMatchObject({ status: 409, body: { code: 'recipients_changed' } })
    }
    // The right recipients, but one stanza too many or too few in the header.
    for (const recipients of [today.slice(1), [...today, ...stranger]]) {
      const file = ageFile(await sealTo(recipients, copyPng()))
      expect(await sendFile(ana, file, fingerprintsOf(today))).toMatchObject({
        status: 409,
        body: { code: 'recipients_changed' },
      })
    }
    expect((await call<unknown[]>('GET', '/kyc', { token: ana.token })).body).toEqual([])
    expect(await submitSealed(ana, copyPng(), today.toReversed())).toMatchObject({ status: 201 })
  })

  test('a file with a wrong claim is refused: a picture as age, an age file as a picture, or the other’s fields', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    const today = await recipientsFor(ana)
    const sealed = await sealTo(today, copyPng())
    const lies: [Blob, string | undefined, string, RegExp][] = [
      [
        ageFile(new Uint8Array(copyPng())),
        fingerprintsOf(today),
        'image',
        /is marked as encrypted, but is not/,
      ],
      [
        ageFile(sealed, 'image/png'),
        fingerprintsOf(today),
        'image',
        /is encrypted\. Please choose the picture/,
      ],
      [ageFile(sealed, 'image/png'), undefined, 'image', /is encrypted\. Please choose the picture/],
      [newPicture(), fingerprintsOf(today), 'image', /is marked as encrypted, but is not/],
      [ageFile(sealed), undefined, 'recipients', /name the keys/],
      [ageFile(sealed.slice(0, 300)), fingerprintsOf(today), 'image', /not encrypted with age/],
      [ageFile(new Uint8Array()), fingerprintsOf(today), 'image', /empty/],
    ]
    for (const [image, recipients, field, words] of lies) {
      const reply = await sendFile(ana, image, recipients)
      expect([reply.status, reply.body.fields]).toEqual([422, { [field]: expect.stringMatching(words) }])
    }
  })

  test('is no receipt: a deposit takes pictures alone', async () => {
    const { depositForm } = await import('../../../test/support/filing.ts')
    const ana = await newInvestor()
    const image = ageFile(await sealTo(await recipientsFor(ana), copyPng()))
    const reply = await call('POST', '/deposits', { token: ana.token, form: await depositForm({ image }) })
    expect(reply).toMatchObject({
      status: 422,
      body: { fields: { image: expect.stringMatching(/encrypted/) } },
    })
  })

  test('a plain picture is accepted too, and encrypted on arrival', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    expect(await sendFile(ana, newPicture())).toMatchObject({ status: 201 })
    const row = await rowOf(ana)
    expect(row).toMatchObject({ sealed_by: 'server', media_type: 'image/png' })
    const stored = await (await env.FILES.get(row.file_key ?? ''))?.bytes()
    expect(text(stored ?? new Uint8Array())).not.toContain('PNG')
    expect((await documentFor(await newOperator(), row.id)).headers.get('Content-Type')).toBe('image/png')
  })
})

function text(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

/** Every value of every column of the database, as text. */
async function allColumns(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'",
  ).all<{ name: string }>()
  const rows = await Promise.all(
    results.map(async ({ name }) => (await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results),
  )
  return rows.flat().flatMap((row) => Object.values(row).map(String))
}
