import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { HandoverNote } from '../../../src/contract/console/handover.ts'
import { as, deposit } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { cleanUp } from '../../platform/cleanUp.ts'

const PATH = '/operator/handover'
const write = (by: Person, text: string) => as<HandoverNote>(by, 'POST', PATH, { text })
const markRead = (by: Person, id: string) => as<HandoverNote>(by, 'POST', `${PATH}/${id}/read`, {})
const list = async (by: Person) => (await as<HandoverNote[]>(by, 'GET', PATH)).body

test('a note of one shift is read by the next, and says who read it', async () => {
  const [olga, ben] = [await newOperator({ name: 'Olga Bello' }), await newOperator({ name: 'Ben Adler' })]
  const first = await write(olga, 'DEP-1 waits for a call.')
  expect(first).toMatchObject({
    status: 201,
    body: { text: 'DEP-1 waits for a call.', by: { _id: olga.id, name: 'Olga Bello' }, readBy: [] },
  })
  const second = await write(olga, 'The bank answers on Monday.\nNothing else.')
  expect((await list(ben)).map(({ _id }) => _id)).toEqual([second.body._id, first.body._id])
  const read = await markRead(ben, second.body._id)
  expect(read).toMatchObject({ status: 200, body: { readBy: [{ _id: ben.id, name: 'Ben Adler' }] } })
  // Earlier ones may not have been on the screen.
  expect((await list(olga)).map(({ readBy }) => readBy.length)).toEqual([1, 0])
  for (const _ of [1, 2]) await markRead(ben, first.body._id)
  expect((await list(olga)).map(({ readBy }) => readBy.length)).toEqual([1, 1])
  // The author needs no mark.
  expect((await markRead(olga, first.body._id)).body.readBy).toHaveLength(1)
  const { results } = await env.DB.prepare(
    "SELECT action, detail FROM audit_log WHERE action LIKE 'handover.%' ORDER BY seq",
  ).all<{ action: string; detail: string }>()
  expect(results.map(({ action }) => action)).toEqual([
    'handover.written',
    'handover.written',
    'handover.read',
    'handover.read',
  ])
  expect(results.map(({ detail }) => detail).join()).not.toContain('bank')
})

test('references in a note lead to their cases', async () => {
  const olga = await newOperator()
  const id = await deposit(await newInvestor(), '10')
  const ref = await env.DB.prepare('SELECT ref FROM requests WHERE id = ?').bind(id).first<string>('ref')
  await write(olga, `${ref?.toLowerCase()} waits for a call, DEP-00000000 does not exist.`)
  await write(olga, 'Nothing else.')
  expect((await list(olga)).slice(0, 2)).toMatchObject([
    { mentioned: [] },
    { mentioned: [{ ref, kind: 'deposit', _id: id }] },
  ])
})

test('an empty, a long and an unknown note are refused, and auditors and investors write none', async () => {
  const operator = await newOperator()
  const auditor = await newOperator({ roles: ['auditor'] })
  const { body } = await write(operator, 'A note')
  expect((await write(operator, ' ')).body).toMatchObject({ fields: { text: 'Please write the note' } })
  expect((await write(operator, 'x'.repeat(2001))).status).toBe(422)
  expect((await markRead(operator, 'nothing')).status).toBe(404)
  expect((await write(auditor, 'A note')).status).toBe(403)
  expect((await markRead(auditor, body._id)).status).toBe(403)
  expect((await list(auditor))[0]).toMatchObject({ _id: body._id })
  expect((await as(await newInvestor(), 'GET', PATH)).status).toBe(403)
})

test('notes are deleted after 90 days, with their marks', async () => {
  const [olga, ben] = [await newOperator(), await newOperator()]
  const { body } = await write(olga, 'An old note')
  await markRead(ben, body._id)
  await cleanUp(env, Date.now() + 89 * 86_400_000)
  const count = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>('n')
  expect(await count('handover_reads')).toBeGreaterThan(0)
  await cleanUp(env, Date.now() + 91 * 86_400_000)
  expect([await count('handover_notes'), await count('handover_reads')]).toEqual([0, 0])
})
