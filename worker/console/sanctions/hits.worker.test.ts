import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { OperatorKyc } from '../../../src/contract/console/kyc.ts'
import type { SanctionsHit } from '../../../src/contract/console/sanctions.ts'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import type { WorkItem } from '../../../src/contract/console/workItems.ts'
import { call } from '../../../test/support/http.ts'
import {
  approveIdentity,
  approveWithdrawal,
  as,
  completeWithdrawal,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { newSanctionsHit } from '../../../test/support/sanctions.ts'
import { setSetting } from '../../../test/support/settings.ts'

let [compliance, treasurer, reviewer] = [] as unknown as [Operator, Operator, Operator]
beforeAll(async () => {
  // These withdrawals are smaller than the network's minimum.
  await setSetting('minimums', { btc: 0 })
  compliance = await newOperator({ roles: ['compliance'], name: 'Coco Pliant' })
  treasurer = await newOperator({ roles: ['treasurer'] })
  reviewer = await newOperator({ roles: ['reviewer'] })
})

const OPEN = { status: 409, body: { code: 'sanctions_hit_open' } }
const clear = (by: Operator, id: string, entries = 1, reason = 'Born in 1990, not in 1961') =>
  as<SanctionsHit>(by, 'POST', `/operator/sanctions/${id}/clear`, { reason, entries })

test('an open hit is work of compliance with a target, and nobody else clears it', async () => {
  const ana = await newInvestor()
  const id = await newSanctionsHit(ana.id)
  const work = async (by: Operator) =>
    (await as<{ items: WorkItem[] }>(by, 'GET', '/operator/work')).body.items.find(({ _id }) => _id === id)
  expect(await work(compliance)).toMatchObject({
    ...{ kind: 'sanctions_hit', person: ana.name, waitsFor: 'you' },
    dueAt: expect.stringMatching(/Z$/),
    risk: { level: 'high', signals: [{ rule: 'screening' }] },
  })
  expect(await work(treasurer)).toMatchObject({ waitsFor: 'others' })
  expect((await clear(treasurer, id)).status).toBe(403)
  expect((await clear(await newOperator({ roles: ['support'] }), id)).status).toBe(403)
  const update = env.DB.prepare('UPDATE sanctions_hits SET cleared_by = ?2, cleared_at = 1 WHERE id = ?1')
  await expect(update.bind(id, reviewer.id).run()).rejects.toThrow('forbidden')
  expect((await as(compliance, 'POST', `/operator/sanctions/${id}/clear`, {})).body.fields).toHaveProperty(
    'reason',
  )
  expect((await clear(compliance, 'nothing')).status).toBe(404)
  // A confirmed hit is no work, and keeps blocking.
  const freezePath = `/operator/investors/${ana.id}/silent-freeze`
  const list = async (status: string) =>
    (await as<SanctionsHit[]>(compliance, 'GET', `/operator/sanctions?status=${status}`)).body
  expect((await as(compliance, 'POST', freezePath, { reason: 'The same person' })).status).toBe(200)
  expect([await list('frozen'), await work(compliance)]).toMatchObject([[{ _id: id }], undefined])
  expect((await list('open')).map(({ _id }) => _id)).not.toContain(id)
  expect((await as(compliance, 'POST', `${freezePath}/end`)).status).toBe(200)
  expect((await as(compliance, 'POST', `/operator/cases/${id}/assign`, {})).status).toBe(200)
  const cleared = await clear(compliance, id)
  expect(cleared.body).toMatchObject({
    status: 'cleared',
    steps: [
      { step: 'found' },
      { step: 'cleared', by: { name: 'Coco Pliant' }, note: expect.stringContaining('1961') },
    ],
  })
  expect(await work(compliance)).toBeUndefined()
  expect(await clear(compliance, id)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  const lines = await as<{ action: string; reason: string }[]>(
    compliance,
    'GET',
    `/operator/audit-log?subject=${id}`,
  )
  expect(lines.body).toMatchObject([
    {
      action: 'screening.cleared',
      reason: expect.stringContaining('1961'),
      about: { person: { name: ana.name } },
    },
    { action: 'case.assigned' },
  ])
  const listed = await as<SanctionsHit[]>(treasurer, 'GET', '/operator/sanctions?status=cleared')
  expect(listed.body[0]).toMatchObject({ _id: id, entries: [{ uid: '90001' }] })
})

test('while a hit is open, the identity is not approved and nothing is paid; after it, the case says who cleared it', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
  const [{ _id: document } = { _id: '' }] = (
    await as<OperatorKyc[]>(reviewer, 'GET', '/operator/kyc?limit=1')
  ).body
  const first = await newSanctionsHit(ana.id)
  expect(await approveIdentity(reviewer, document)).toMatchObject(OPEN)
  const seen = async () =>
    (await as<OperatorKyc[]>(reviewer, 'GET', `/operator/kyc?query=${encodeURIComponent(ana.email)}`)).body[0]
  expect((await seen())?.risk?.signals).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        rule: 'screening',
        link: { kind: 'sanctions', id: first, text: 'Vasko Emil SAMPLEROV' },
      }),
    ]),
  )
  await clear(compliance, first)
  expect((await seen())?.risk?.signals.map(({ rule }) => rule)).not.toContain('screening')
  expect((await approveIdentity(reviewer, document)).status).toBe(200)

  const ben = await newInvestor({ availableCents: 500_00 })
  const [pending, approved] = [await withdrawal(ben, '10'), await withdrawal(ben, '20')]
  expect((await approveWithdrawal(treasurer, approved)).status).toBe(200)
  const hit = await newSanctionsHit(ben.id)
  expect(await approveWithdrawal(treasurer, pending)).toMatchObject(OPEN)
  expect(await completeWithdrawal(await newOperator(), approved)).toMatchObject(OPEN)
  const rejected = await as(treasurer, 'POST', `/operator/withdrawals/${pending}/reject`, { reason: 'No' })
  expect(rejected.status).toBe(200)
  await clear(compliance, hit)
  expect((await completeWithdrawal(await newOperator(), approved)).status).toBe(200)
  await env.DB.prepare(
    `INSERT INTO screenings (subject, investor, names, list, list_hash, list_version, hits, matches, at)
     VALUES (?, ?, '[]', 'OFAC SDN', 'ab', 'v', 1, '[]', 1)`,
  )
    .bind(approved, ben.id)
    .run()
  const shown = await as<OperatorWithdrawal>(treasurer, 'GET', `/operator/withdrawals/${approved}`)
  expect(shown.body.screening?.hit).toEqual({
    _id: hit,
    cleared: { at: expect.any(String), by: 'Coco Pliant', reason: expect.stringContaining('1961') },
  })
})

test('without both dates of birth, the reason that clears a hit says what else differs', async () => {
  const ana = await newInvestor()
  const id = await newSanctionsHit(ana.id)
  expect(await clear(compliance, id, 1, 'Another person')).toMatchObject({
    status: 422,
    body: { fields: { reason: expect.stringContaining('dates of birth cannot be compared') } },
  })
  await env.DB.prepare("UPDATE kyc_submissions SET born_on = '1990-05-01' WHERE user_id = ?")
    .bind(ana.id)
    .run()
  expect((await clear(compliance, id, 1, 'Another person')).status).toBe(200)
})

test('an entry that was added while the hit was read is not cleared with it', async () => {
  const id = await newSanctionsHit((await newInvestor()).id)
  const added = `json_insert(entries, '$[#]', json('{"uid":"90002","name":"bc1qlisted","programs":"","born":null}'))`
  await env.DB.prepare(`UPDATE sanctions_hits SET entries = ${added} WHERE id = ?`).bind(id).run()
  expect(await clear(compliance, id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const update = env.DB.prepare(
    "UPDATE sanctions_hits SET cleared_by = ?2, cleared_at = 1, entries = '[]' WHERE id = ?1",
  )
  await expect(update.bind(id, compliance.id).run()).rejects.toThrow('conflict')
  expect(await clear(compliance, id, 2)).toMatchObject({ status: 200, body: { status: 'cleared' } })
})

test('why a hit was cleared is read by nobody who may not read hits, nor by the person', async () => {
  const ana = await newInvestor()
  const support = await newOperator({ roles: ['support'] })
  await as(support, 'POST', `/operator/investors/${ana.id}/notes`, { text: 'Called, and was friendly' })
  await clear(compliance, await newSanctionsHit(ana.id))
  const listNotes = async (by: Operator) =>
    (await as<{ text: string }[]>(by, 'GET', `/operator/investors/${ana.id}/notes`)).body.map(
      ({ text }) => text,
    )
  expect(await listNotes(treasurer)).toHaveLength(2)
  expect(await listNotes(support)).toEqual(['Called, and was friendly'])
  const known = await as<{ notes: number }>(treasurer, 'GET', `/operator/investors/${ana.id}/known`)
  expect(known.body.notes).toBe(2)
  const file = JSON.stringify((await call('GET', '/users/data', { token: ana.token })).body)
  expect(file).toContain('Called, and was friendly')
  expect(file).not.toMatch(/1961|sanction/i)
})
