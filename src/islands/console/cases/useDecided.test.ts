import { describe, expect, it } from 'vitest'
import { findNextPending, withDecided } from './useDecided.ts'

const row = (_id: string, status = 'pending') => ({ _id, status })
const waits = ({ status }: { status: string }) => status === 'pending'

describe('rows that were decided', () => {
  it('stand in the list as the decision left them, in their place', () => {
    const rows = withDecided([row('a'), row('b'), row('c')], new Map([['b', row('b', 'approved')]]))
    expect(rows).toEqual([row('a'), row('b', 'approved'), row('c')])
  })

  it('of another page add nothing', () => {
    expect(withDecided([row('a')], new Map([['z', row('z', 'approved')]]))).toEqual([row('a')])
  })
})

describe('the next one that waits', () => {
  it('is below the one just decided, or else from the top', () => {
    const rows = [row('a'), row('b', 'approved'), row('c', 'rejected'), row('d')]
    expect(findNextPending(rows, 'b', waits)).toEqual(row('d'))
    expect(findNextPending(rows, 'd', waits)).toEqual(row('a'))
  })

  it('is never the one just decided', () => {
    expect(findNextPending([row('a'), row('b', 'approved')], 'a', waits)).toBeUndefined()
  })

  it('is the first one after a row that the list does not hold', () => {
    expect(findNextPending([row('a'), row('b')], 'elsewhere', waits)).toEqual(row('a'))
  })
})
