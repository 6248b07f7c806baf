import { describe, expect, it } from 'vitest'
import { compareRows } from './useQueue.ts'

const row = (_id: string, minute: number, status = 'pending') => ({
  _id,
  createdAt: `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`,
  status,
})
const waits = ({ status }: { status: string }) => status === 'pending'

describe('a list that is shown, against its newest page', () => {
  const shown = [row('c', 3), row('b', 2), row('a', 1)]

  it('lacks what has come in and waits', () => {
    const newest = [row('e', 5), row('d', 4, 'approved'), ...shown]
    expect(compareRows(shown, newest, true, waits)).toEqual({ arrived: 1, changed: [], gone: [] })
  })

  it('still shows what somebody else has decided', () => {
    expect(compareRows(shown, [row('c', 3), row('a', 1)], true, waits).gone).toEqual([row('b', 2)])
  })

  it('learns what a row has become where it is still listed', () => {
    const newest = [row('c', 3), row('b', 2, 'approved'), row('a', 1)]
    expect(compareRows(shown, newest, true, waits)).toMatchObject({
      changed: [row('b', 2, 'approved')],
      gone: [],
    })
  })

  it('knows nothing of what is older than that page', () => {
    expect(compareRows(shown, [row('d', 4), row('c', 3)], false, waits)).toMatchObject({
      arrived: 1,
      gone: [],
    })
  })

  it('does not look for what was decided here and shows it', () => {
    const decided = [row('c', 3), row('b', 2, 'approved'), row('a', 1)]
    expect(compareRows(decided, [row('c', 3), row('a', 1)], true, waits).gone).toEqual([])
  })
})
