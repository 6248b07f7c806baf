import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { OperatorKyc } from '../../../src/contract/console/kyc.ts'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import type { WorkItem } from '../../../src/contract/console/workItems.ts'
import { inspectImage } from '../../../src/pictures/inspect.ts'
import { copyJpeg, copyPng } from '../../../src/pictures/samples.ts'
import { withdraw } from '../../../test/support/filing.ts'
import { call, send } from '../../../test/support/http.ts'
import { readIdentityData } from '../../../test/support/identityData.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { approveIdentity, approveProposal, as, openDocument } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { ageFile, newReviewer, recipientsFor, sealTo, submitSealed } from '../../../test/support/reviewers.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { tellOfExpiry } from '../../identity/kyc/expiry.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { openDatabase } from '../../lib/database.ts'

// These withdrawals are smaller than the network's minimum.
beforeAll(() => setSetting('minimums', { btc: 0 }))

async function submitted(person: Person, image = newPicture()): Promise<OperatorKyc> {
  const reply = await call('POST', '/kyc', {
    token: person.token,
    form: { document: 'Passport', image },
  })
  if (reply.status !== 201) throw new Error(`The document was not taken: ${reply.body.msg}`)
  const [row] = (await as<OperatorKyc[]>(await newOperator(), 'GET', '/operator/kyc?limit=1')).body
  if (row?.investor._id !== person.id) throw new Error('The newest document is somebody else’s.')
  return row
}

async function audited(action: string, subject: string) {
  const { results } = await env.DB.prepare('SELECT actor FROM audit_log WHERE action = ? AND subject = ?')
    .bind(action, subject)
    .all<{ actor: string }>()
  return results.map(({ actor }) => actor)
}

test('a submitted document is in the queue with its sender', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  const row = await submitted(ana)
  expect(row).toEqual({
    _id: expect.any(String),
    assigned: null,
    hold: null,
    waitsSince: expect.stringMatching(/Z$/),
    dueAt: expect.stringMatching(/Z$/),
    screening: null,
    ref: expect.stringMatching(/^KYC-[0-9A-Z]{8}$/),
    investor: { _id: ana.id, name: ana.name, email: ana.email },
    status: 'pending',
    createdAt: expect.stringMatching(/Z$/),
    kind: 'identity',
    document: 'Passport',
    mediaType: 'image/png',
    reason: null,
    documentName: null,
    steps: [expect.objectContaining({ step: 'filed', by: { _id: ana.id, name: ana.name } })],
    documentExpiresOn: null,
    bornOn: null,
    sealedBy: 'server',
    sealedTo: [],
    outdated: false,
    risk: { score: 0, level: 'low', signals: [] },
  })
  const operator = await newOperator()
  const pending = await as<OperatorKyc[]>(operator, 'GET', '/operator/kyc?status=pending')
  expect(pending.body.map(({ _id }) => _id)).toContain(row._id)
  const approved = await as<OperatorKyc[]>(operator, 'GET', '/operator/kyc?status=approved')
  expect(approved.body.map(({ _id }) => _id)).not.toContain(row._id)
})

test('a reviewer gets the decrypted document, and each look is audited', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  const operator = await newOperator()
  const { _id, ref } = await submitted(ana)
  const path = `/operator/kyc/${_id}/document`
  const seen = await send('GET', path, { token: operator.token })
  expect(seen.status).toBe(200)
  expect(Object.fromEntries(seen.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="${ref}.png"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  })
  const bytes = await seen.bytes()
  expect([...bytes.slice(1, 4)]).toEqual([...new TextEncoder().encode('PNG')])
  await send('GET', path, { token: operator.token })
  expect(await audited('kyc.document_viewed', _id)).toEqual([operator.id, operator.id])

  const key = await env.DB.prepare('SELECT file_key FROM kyc_submissions WHERE id = ?')
    .bind(_id)
    .first<string>('file_key')
  const stored = await (await env.FILES.get(key ?? ''))?.bytes()
  expect(new TextDecoder('latin1').decode(stored)).not.toContain('PNG')

  await env.DB.prepare('UPDATE kyc_submissions SET wrapped_key = NULL WHERE id = ?').bind(_id).run()
  expect((await as(operator, 'GET', path)).status).toBe(404)
})

test('an investor with an approved identity gets a mail and may deposit', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  const operator = await newOperator({ name: 'Olu Bello' })
  const { _id } = await submitted(ana, newPicture())
  const reply = await approveIdentity(operator, _id)
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    _id,
    status: 'approved',
    reason: null,
    steps: [{ step: 'filed' }, { step: 'approved', by: { name: 'Olu Bello' } }],
  })
  const file = await send('GET', `/operator/kyc?format=csv&ids=${_id}`, { token: operator.token })
  const { bornOn, expiresOn } = readIdentityData(_id)
  expect(await file.text()).toContain(`"${bornOn}","${expiresOn}"`)
  const mine = await as<{ status: string }[]>(ana, 'GET', '/kyc')
  expect(mine.body[0]).toMatchObject({ status: 'approved' })
  await mailTo(ana.email, /identity is verified/)
  expect(await audited('kyc.approved', _id)).toEqual([operator.id])
  for (const [verb, json] of [
    ['approve', readIdentityData(_id)],
    ['reject', { reason: 'No' }],
  ] as const) {
    const again = await as(operator, 'POST', `/operator/kyc/${_id}/${verb}`, json)
    expect(again).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  }
})

test('a rejected identity reads why, and may send another document', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  const operator = await newOperator()
  const { _id } = await submitted(ana)
  const path = `/operator/kyc/${_id}/reject`
  expect((await as(operator, 'POST', path, {})).body.fields).toEqual({ reason: 'Please give a reason' })
  const reply = await as<OperatorKyc>(operator, 'POST', path, { reason: 'The document has expired.' })
  expect(reply).toMatchObject({
    status: 200,
    body: { status: 'rejected', reason: 'The document has expired.' },
  })
  expect((await mailTo(ana.email, /again/)).text).toContain('The document has expired.')
  const mine = await as<{ reason: string }[]>(ana, 'GET', '/kyc')
  expect(mine.body[0]).toMatchObject({ reason: 'The document has expired.' })
  expect((await submitted(ana)).status).toBe('pending')
})

test('the same picture from another person is a sign with a link, encrypted by the browser or by the server', async () => {
  await newReviewer()
  const [ana, ben, eva] = [
    await newInvestor({ kyc: 'none', name: 'Ana Torres' }),
    await newInvestor({ kyc: 'none', name: 'Ben Ode' }),
    await newInvestor({ kyc: 'none' }),
  ]
  const image = new Blob([copyJpeg()], { type: 'image/jpeg' })
  const inspected = inspectImage(copyJpeg())
  if (!inspected.ok) throw new Error(inspected.msg)
  const { bytes } = inspected
  await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image } })
  expect((await submitSealed(ben, bytes)).status).toBe(201)
  expect((await submitSealed(eva, copyPng())).status).toBe(201)
  const { body } = await as<OperatorKyc[]>(await newOperator(), 'GET', '/operator/kyc?limit=3')
  const find = (person: Person) => body.find(({ investor }) => investor._id === person.id)
  const signs = (person: Person) => find(person)?.risk?.signals.filter(({ rule }) => rule === 'same_document')
  const link = (person: Person) => ({
    kind: 'kyc',
    id: find(person)?._id,
    text: `${find(person)?.ref}, ${person.name}`,
  })
  expect(signs(ana)).toMatchObject([{ weight: 60, count: 1, link: link(ben) }])
  expect(signs(ben)).toMatchObject([{ weight: 60, count: 1, link: link(ana) }])
  expect(signs(eva)).toEqual([])
  const row = await env.DB.prepare('SELECT picture_hash FROM kyc_submissions WHERE user_id = ?')
    .bind(ben.id)
    .first()
  expect(JSON.stringify(row)).not.toContain(await sha256Hex(bytes))
  const form = {
    document: 'Passport',
    image: ageFile(await sealTo(await recipientsFor(eva), bytes)),
    recipients: 'x',
  }
  for (const pictureHash of [undefined, 'AB', 'g'.repeat(64)]) {
    const sent = { ...form, ...(pictureHash !== undefined && { pictureHash }) }
    const refused = await call('POST', '/kyc', { token: ana.token, form: sent })
    expect(refused).toMatchObject({ status: 422, body: { fields: { pictureHash: expect.any(String) } } })
  }
})

test('nobody decides on their own document, not even with SQL', async () => {
  const operator = await newOperator()
  const db = env.DB
  await db
    .prepare(
      `INSERT INTO kyc_submissions (id, ref, user_id, document, media_type, file_key, created_at)
       VALUES ('own', 'KYC-OWN00000', ?, 'Passport', 'image/png', 'kyc/own', 0)`,
    )
    .bind(operator.id)
    .run()
  const reply = await approveIdentity(operator, 'own')
  expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const direct = db
    .prepare(
      "UPDATE kyc_submissions SET status = 'approved', decided_by = user_id, decided_at = 1 WHERE id = 'own'",
    )
    .run()
  await expect(direct).rejects.toThrow(/decider must be an operator, not the owner/)
})

test('the name that the reviewer read on the document counts for payees, not the name that the investor shows', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ kyc: 'none', name: 'Ana Torres', availableCents: 1000_00 })
  const { _id } = await submitted(ana)
  const approve = (documentName: string) => approveIdentity(operator, _id, { documentName })
  expect((await approve('\u202eserroT anA')).status).toBe(422)
  expect(await approve('ANA MARIA TORRES')).toMatchObject({
    status: 200,
    body: { documentName: 'ANA MARIA TORRES' },
  })
  const signalsFor = async (accountHolderName: string) => {
    const { body } = await withdraw(ana, { amount: '1.00', accountHolderName }, '/withdrawals/online-service')
    const path = `/operator/withdrawals/${body._id}`
    const { body: seen } = await as<OperatorWithdrawal>(operator, 'GET', path)
    expect(seen.documentName).toBe('ANA MARIA TORRES')
    return seen.risk?.signals.map(({ rule }) => rule)
  }
  expect(await signalsFor('Ana Torres')).not.toContain('holder_differs')
  // A thief shows the name of the account that is to be paid.
  expect((await as(ana, 'PATCH', '/users/user-info', { displayName: 'Eve Smith' })).status).toBe(200)
  expect(await signalsFor('Eve Smith')).toContain('holder_differs')
})

test('another full name sends an approved identity back to review, and the same name in other letters does not', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ kyc: 'none', name: 'Zoë Torres', availableCents: 1000_00 })
  const { _id } = await submitted(ana, newPicture())
  const approve = () => approveIdentity(operator, _id, { documentName: 'Zoë Torres' })
  expect(await approve()).toMatchObject({ status: 200, body: { documentName: 'Zoë Torres' } })
  const rename = (fullname: string) => as(ana, 'PATCH', '/users/user-info', { fullname })
  const status = async () => (await as<{ status: string }[]>(ana, 'GET', '/kyc')).body[0]?.status
  expect((await rename('ZOE TORRES')).status).toBe(200)
  expect(await status()).toBe('approved')
  expect((await rename('Eve Smith')).body.msg).toContain(
    'We compare your new name with your identity document',
  )
  expect(await status()).toBe('pending')
  expect(await audited('kyc.reopened', _id)).toEqual([ana.id])
  expect(await withdraw(ana, { amount: '1.00' })).toMatchObject({
    status: 403,
    body: { code: 'kyc_required' },
  })
  const queue = await as<OperatorKyc[]>(operator, 'GET', '/operator/kyc?status=pending')
  expect(queue.body.find((row) => row._id === _id)).toMatchObject({
    documentName: 'Zoë Torres',
    steps: [{ step: 'filed' }],
  })
  expect((await approve()).status).toBe(200)
  expect((await withdraw(ana, { amount: '1.00' })).status).toBe(201)
})

test('an approval records number, birth date and expiry, and the number cannot be read', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ kyc: 'none' })
  const { _id } = await submitted(ana)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const young = `${new Date().getUTCFullYear() - 17}-01-01`
  for (const [field, value] of [
    ['expiresOn', yesterday],
    ['expiresOn', '2099-02-30'],
    ['bornOn', young],
    ['bornOn', 'long ago'],
    ['documentName', undefined],
    ['documentNumber', undefined],
    ['documentNumber', ' '],
    ['bornOn', undefined],
    ['expiresOn', null],
  ] as const) {
    const refused = await approveIdentity(operator, _id, { [field]: value })
    expect(refused).toMatchObject({ status: 422, body: { fields: { [field]: expect.any(String) } } })
  }
  const { body } = await approveIdentity(operator, _id, { documentNumber: 'ab 12-34.56' })
  expect(body).toMatchObject({ documentExpiresOn: '2099-05-01', bornOn: '1990-05-01', status: 'approved' })
  const row = await env.DB.prepare('SELECT document_number FROM kyc_submissions WHERE id = ?')
    .bind(_id)
    .first()
  expect(JSON.stringify(row)).not.toMatch(/123456|12-34/)
  const known = await as<{ bornOn: string }>(operator, 'GET', `/operator/investors/${ana.id}/known`)
  expect(known.body.bornOn).toBe('1990-05-01')

  const ben = await newInvestor({ kyc: 'none' })
  const second = await submitted(ben)
  const same = await approveIdentity(operator, second._id, { documentNumber: 'AB123456' })
  expect(same.status).toBe(422)
  expect(same.body).toMatchObject({ fields: { documentNumber: expect.stringContaining(body.ref) } })
  expect((await approveIdentity(operator, second._id, { documentNumber: 'AB123457' })).status).toBe(200)
})

test('a rejection for good takes no other document until two administrators agree', async () => {
  const [operator, ana] = [await newOperator(), await newInvestor({ kyc: 'none' })]
  const administrators = [
    await newOperator({ roles: ['administrator'] }),
    await newOperator({ roles: ['administrator'] }),
  ] as const
  const proposal = { kind: 'identity_reopening', investor: ana.id, reason: 'The appeal is right' }
  const propose = () => as<Proposal>(administrators[0], 'POST', '/operator/proposals', proposal)
  const { _id } = await submitted(ana)
  expect((await propose()).status).toBe(409)
  const body = { reason: 'The document belongs to another person.', final: true }
  const reject = (by: Person) => as<OperatorKyc>(by, 'POST', `/operator/kyc/${_id}/reject`, body)
  expect(await reject(operator)).toMatchObject({ status: 409, body: { code: 'document_not_opened' } })
  await openDocument(operator, _id)
  const proposed = await reject(operator)
  expect(proposed).toMatchObject({
    status: 202,
    body: {
      status: 'pending',
      finalProposal: { by: operator.name, byId: operator.id, reason: body.reason },
      steps: [{ step: 'filed' }, { step: 'proposed', by: { name: operator.name }, note: body.reason }],
    },
  })
  expect(await reject(operator)).toMatchObject({ status: 403, body: { code: 'second_operator_required' } })
  const alone =
    "UPDATE kyc_submissions SET status = 'rejected', final = 1, decided_by = ?2, decided_at = 1 WHERE id = ?1"
  await expect(env.DB.prepare(alone).bind(_id, operator.id).run()).rejects.toThrow('second_operator_required')
  const work = await as<{ items: WorkItem[] }>(operator, 'GET', '/operator/work')
  expect(work.body.items.find((item) => item._id === _id)).toMatchObject({
    ...{ waitsFor: 'others', first: { _id: operator.id } },
  })
  const second = await newOperator({ name: 'Per Lind' })
  expect(await reject(second)).toMatchObject({ status: 409, body: { code: 'document_not_opened' } })
  await openDocument(second, _id)
  const rejected = await reject(second)
  expect(rejected.body).toMatchObject({
    ...{ status: 'rejected', final: true, reason: body.reason },
    steps: [{}, { step: 'proposed' }, { step: 'rejected', by: { name: 'Per Lind' } }],
  })
  expect(await audited('kyc.final_proposed', _id)).toEqual([operator.id])
  const file = await send('GET', '/operator/kyc?format=csv&status=rejected', { token: second.token })
  expect(await file.text()).toMatch(new RegExp(`Proposed by ${operator.name} .*; Rejected by Per Lind`))
  expect((await mailTo(ana.email, /cannot verify/)).text).toMatch(/final[\s\S]*please write to us/)
  expect((await as<object[]>(ana, 'GET', '/kyc')).body[0]).toMatchObject({ status: 'rejected', final: true })
  const form = { document: 'Passport', image: newPicture() }
  const again = await call('POST', '/kyc', { token: ana.token, form })
  expect(again).toMatchObject({ status: 409, body: { code: 'kyc_final' } })

  expect(
    (await as(operator, 'POST', '/operator/proposals', { ...proposal, investor: 'nobody' })).status,
  ).toBe(422)
  const made = await propose()
  expect((await propose()).status).toBe(409)
  expect((await approveProposal(administrators[0], made.body._id)).status).toBe(403)
  expect((await approveProposal(administrators[1], made.body._id)).status).toBe(200)
  expect(await audited('kyc.final_lifted', ana.id)).toEqual([administrators[1].id])
  await mailTo(ana.email, /send an identity document again/)
  expect((await submitted(ana)).status).toBe('pending')
})

test('a reviewer opens a document before approving it', async () => {
  const [first, second, ana] = [await newOperator(), await newOperator(), await newInvestor({ kyc: 'none' })]
  const { _id } = await submitted(ana)
  await openDocument(first, _id)
  const approve = (by: Person, fields = {}) =>
    as(by, 'POST', `/operator/kyc/${_id}/approve`, {
      ...readIdentityData(_id),
      riskReason: 'Called back, all is in order',
      ...fields,
    })
  expect(await approve(second, { documentName: '' })).toMatchObject({ status: 422 })
  expect(await approve(second)).toMatchObject({
    status: 409,
    body: { code: 'document_not_opened', msg: expect.stringContaining('Open the document') },
  })
  await openDocument(second, _id)
  expect((await approve(second)).status).toBe(200)
})

test('another decision drops the proposal to reject for good, once its reviewer has read it', async () => {
  const [first, second, ana] = [await newOperator(), await newOperator(), await newInvestor({ kyc: 'none' })]
  const { _id } = await submitted(ana)
  const body = { reason: 'The document belongs to another person.', final: true }
  await openDocument(first, _id)
  await as(first, 'POST', `/operator/kyc/${_id}/reject`, body)
  const unread = { status: 409, body: { code: 'conflict', msg: expect.stringContaining(first.name) } }
  expect(await approveIdentity(second, _id)).toMatchObject(unread)
  expect(await as(second, 'POST', `/operator/kyc/${_id}/reject`, { reason: 'Too dark' })).toMatchObject(
    unread,
  )
  expect((await approveIdentity(second, _id, { despiteProposalOf: first.id })).status).toBe(200)
  await as(ana, 'PATCH', '/users/user-info', { fullname: 'Eve Smith' })
  const again = await as<OperatorKyc>(second, 'POST', `/operator/kyc/${_id}/reject`, body)
  expect(again).toMatchObject({ status: 202, body: { finalProposal: { byId: second.id } } })
})

test('the owner of a document is told once before it expires, and an expired one is listed and can be asked for again', async () => {
  const [operator, ana] = [await newOperator(), await newInvestor({ kyc: 'none' })]
  const { _id } = await submitted(ana)
  const at = Date.now()
  const expiresOn = new Date(at + 20 * 86_400_000).toISOString().slice(0, 10)
  await approveIdentity(operator, _id, { expiresOn })
  const db = openDatabase(env.DB)
  await tellOfExpiry(env, db, at)
  await tellOfExpiry(env, db, at + 60_000)
  const told = (await mailsTo(ana.email)).filter(({ subject }) => /passport expires/.test(subject))
  expect(told).toHaveLength(1)
  const early = await as(operator, 'POST', `/operator/kyc/${_id}/reject`, {
    reason: 'The document has expired.',
  })
  expect(early.status).toBe(409)

  await env.DB.prepare("UPDATE kyc_submissions SET document_expires_on = '2020-01-01' WHERE id = ?")
    .bind(_id)
    .run()
  const expired = await as<OperatorKyc[]>(operator, 'GET', '/operator/kyc?status=approved&expired=true')
  expect(expired.body).toMatchObject([{ _id, expired: true }])
  const work = await as<{ items: { _id: string; kind: string }[] }>(operator, 'GET', '/operator/work')
  expect(work.body.items.filter((item) => item._id === _id)).toMatchObject([{ kind: 'expired_document' }])
  const asked = await as(operator, 'POST', `/operator/kyc/${_id}/reject`, {
    reason: 'The document has expired.',
  })
  expect(asked).toMatchObject({ status: 200, body: { status: 'rejected' } })
  expect((await submitted(ana)).status).toBe('pending')
})
