import { describe, expect, it } from 'vitest'
import { type CaseContext, isForOthers } from './queueKind.ts'
import { compareRows } from './useQueue.ts'

const row = (_id: string, minute: number, status = 'pending') => ({
  _id,
  createdAt: `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`,
  status,
})
const isPending = ({ status }: { status: string }) => status === 'pending'

const newestFirst = { hasMore: false, order: 'newest', isPending } as const

describe('a shown list, compared with its first page', () => {
  const shown = [row('c', 3), row('b', 2), row('a', 1)]

  it('lacks what has come in and waits', () => {
    const newest = [row('e', 5), row('d', 4, 'approved'), ...shown]
    expect(compareRows(shown, newest, { ...newestFirst, isAll: true })).toEqual({
      arrived: 1,
      changed: [],
      gone: [],
    })
  })

  it('still shows what somebody else has decided', () => {
    expect(compareRows(shown, [row('c', 3), row('a', 1)], { ...newestFirst, isAll: true }).gone).toEqual([
      row('b', 2),
    ])
  })

  it('learns what a row has become where it is still listed', () => {
    const newest = [row('c', 3), row('b', 2, 'approved'), row('a', 1)]
    expect(compareRows(shown, newest, { ...newestFirst, isAll: true })).toMatchObject({
      changed: [row('b', 2, 'approved')],
      gone: [],
    })
  })

  it('knows nothing of what is older than that page', () => {
    expect(compareRows(shown, [row('d', 4), row('c', 3)], { ...newestFirst, isAll: false })).toMatchObject({
      arrived: 1,
      gone: [],
    })
  })

  it('does not look for what was decided here and shows it', () => {
    const decided = [row('c', 3), row('b', 2, 'approved'), row('a', 1)]
    expect(compareRows(decided, [row('c', 3), row('a', 1)], { ...newestFirst, isAll: true }).gone).toEqual([])
  })

  it('that begins with the oldest counts what came at its end, unless “Show more” loads it', () => {
    const oldestFirst = shown.toReversed()
    const now = [row('b', 2), row('c', 3), row('d', 4)]
    const compared = { isAll: true, order: 'oldest', isPending } as const
    expect(compareRows(oldestFirst, now, { ...compared, hasMore: false })).toMatchObject({
      arrived: 1,
      gone: [row('a', 1)],
    })
    expect(compareRows(oldestFirst, now, { ...compared, hasMore: true })).toMatchObject({ arrived: 0 })
  })
})

describe('a case whose first decision is closed to the operator', () => {
  const decision = { label: 'Approve', panel: () => null }
  const operator = { me: null, settings: null }

  it('is for others, also if they may reject it', () => {
    const decisions = () => [{ ...decision, closed: 'You proposed it.' }, decision]
    expect(isForOthers({ decisions }, row('a', 1), operator)).toBe(true)
  })

  it('is not for others if only its document is not open yet', () => {
    const decisions = (_: unknown, { isDocumentOpen }: CaseContext) =>
      isDocumentOpen ? [decision] : [{ ...decision, closed: 'Open the document.' }]
    expect(isForOthers({ decisions }, row('a', 1), operator)).toBe(false)
  })

  it('is for others only then', () => {
    const decisions = () => [decision, { ...decision, closed: 'You proposed it.' }]
    expect(isForOthers({ decisions }, row('a', 1), operator)).toBe(false)
    expect(isForOthers({}, row('a', 1), operator)).toBe(false)
  })
})
