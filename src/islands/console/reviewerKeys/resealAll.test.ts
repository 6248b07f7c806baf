import { describe, expect, it, vi } from 'vitest'
import type { ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { planReseal, type Resealer, resealAll } from './resealAll.ts'

const document = (ref: string, ...sealedTo: string[]) => ({ _id: `id of ${ref}`, ref, sealedTo })
const keyOf = (name: string) => ({ recipient: `age1${name}`, name, fingerprint: name.toUpperCase() })
const changed = () => new ApiFailure(409, { code: 'recipients_changed', msg: 'Changed.' })

function resealer(changes: Partial<Resealer> = {}) {
  const put = vi.fn<Resealer['put']>(async () => undefined)
  const parts: Resealer = {
    identityFor: (fingerprints) => (fingerprints.includes('ANA') ? 'identity of ana' : null),
    load: async () => [keyOf('ana'), keyOf('ben')],
    fetch: async (id) => new TextEncoder().encode(id),
    reseal: async (age, identity, recipients) =>
      new TextEncoder().encode([new TextDecoder().decode(age), identity, ...recipients].join()),
    put,
    ...changes,
  }
  return { put, parts }
}

describe('documents that are sealed anew', () => {
  it('are fetched, sealed to today’s keys and put back, one after the other, with progress', async () => {
    const { put, parts } = resealer()
    const counts: number[] = []
    const result = await resealAll([document('A', 'ANA'), document('B', 'ANA')], parts, (count) =>
      counts.push(count),
    )
    expect(result).toEqual({ done: 2, failed: [] })
    expect(counts).toEqual([0, 1, 2])
    expect(put.mock.calls.map(([id, age, to]) => [id, new TextDecoder().decode(age), to.length])).toEqual([
      ['id of A', 'id of A,identity of ana,age1ana,age1ben', 2],
      ['id of B', 'id of B,identity of ana,age1ana,age1ben', 2],
    ])
  })

  it('that fail hold up no other, and are told with the reason', async () => {
    const put = vi.fn().mockRejectedValueOnce(new ApiFailure(409, { code: 'conflict', msg: 'Overtaken.' }))
    const { parts } = resealer({ put })
    const documents = [document('A', 'ANA'), document('B', 'BEN'), document('C', 'ANA')]
    expect(await resealAll(documents, parts, () => {})).toEqual({
      done: 1,
      failed: [
        { ref: 'A', msg: 'Overtaken.' },
        { ref: 'B', msg: 'Your key was locked meanwhile.' },
      ],
    })
  })

  it('are sealed once more when the keys change meanwhile, and then no further one has to be', async () => {
    const load = vi.fn<Resealer['load']>().mockResolvedValueOnce([keyOf('ana')])
    load.mockResolvedValue([keyOf('ana'), keyOf('cem')])
    const { put, parts } = resealer({ load })
    put.mockRejectedValueOnce(changed())
    await resealAll([document('A', 'ANA'), document('B', 'ANA')], parts, () => {})
    expect(put.mock.calls.map(([, , to]) => to.map(({ name }) => name))).toEqual([
      ['ana'],
      ['ana', 'cem'],
      ['ana', 'cem'],
    ])
    put.mockReset().mockRejectedValue(changed())
    expect((await resealAll([document('A', 'ANA')], parts, () => {})).failed).toHaveLength(1)
    expect(put).toHaveBeenCalledTimes(3)
  })
})

describe('who can seal documents anew', () => {
  const own = (fingerprint: string, status: ReviewerKey['status']) => ({ fingerprint, status }) as ReviewerKey

  it('is whoever has a key that opens them, with as few passphrases as possible', () => {
    const retired = own('OLD', 'retired')
    const active = own('NEW', 'active')
    const both = document('A', 'OLD', 'NEW')
    const older = document('B', 'OLD')
    const stranger = document('C', 'BEN')
    expect(planReseal([both, stranger], [retired, active])).toEqual({
      mine: [both],
      others: 1,
      keys: [active],
    })
    expect(planReseal([older, both], [retired, active])).toEqual({
      mine: [older, both],
      others: 0,
      keys: [retired],
    })
    expect(planReseal([both, older], [active, retired])).toMatchObject({ others: 0, keys: [active, retired] })
    expect(planReseal([older], [])).toEqual({ mine: [], others: 1, keys: [] })
  })
})
