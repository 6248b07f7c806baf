import { describe, expect, it } from 'vitest'
import type { WorkItem } from '../../../contract/console/workItems.ts'
import {
  buildWorkHref,
  describeCase,
  describeTask,
  findNextWorkHref,
  groupByDue,
  matchesWork,
  sortByRisk,
  sortWork,
} from './words.ts'

const item: WorkItem = {
  _id: 'a',
  kind: 'deposit',
  createdAt: '2026-01-31T09:30:00.000Z',
  dueAt: '2026-02-01T09:30:00.000Z',
  ref: 'DEP-1',
  person: 'Ana Torres',
  amount: 7200,
  about: null,
  first: null,
  aboveLimit: false,
  assigned: null,
  waitsFor: 'you',
}
const taken = {
  _id: 'o',
  name: 'Olga',
  since: '2026-01-31T10:00:00.000Z',
  until: '2026-01-31T12:00:00.000Z',
}
const olga = { _id: 'o', name: 'Olga' }

describe('an item of work', () => {
  it('says what to do, with the amount', () => {
    expect(describeTask(item)).toBe('Credit $7,200.00')
    expect(describeTask({ ...item, aboveLimit: true })).toBe('Propose credit of $7,200.00')
    expect(describeTask({ ...item, risk: { score: 100, level: 'high', signals: [] } })).toBe(
      'Propose credit of $7,200.00',
    )
    expect(describeTask({ ...item, kind: 'second_credit', first: olga })).toBe('Approve and credit $7,200.00')
    expect(describeTask({ ...item, kind: 'withdrawal' })).toBe('Approve payout of $7,200.00')
    const message = { ...item, kind: 'message', about: 'Hello' } as const
    expect(describeTask(message)).toBe('Answer: Hello')
    expect(describeTask({ ...message, topic: 'complaint' })).toBe('Answer (may be a complaint): Hello')
  })

  it('names the person, the reference and who acted before', () => {
    expect(describeCase({ ...item, first: olga })).toBe('Ana Torres · DEP-1 · approved by Olga')
    expect(describeCase({ ...item, kind: 'kyc', ref: 'KYC-1', first: olga })).toBe(
      'Ana Torres · KYC-1 · proposed by Olga',
    )
  })

  it('leads to its case in its queue', () => {
    expect(buildWorkHref({ ...item, kind: 'payout' })).toBe(
      '/operator/withdrawals?status=approved&open=a&via=work',
    )
  })
})

it('filters leave the work of a kind, a risk, a person, or a time', () => {
  const nowMs = Date.parse('2026-02-01T12:00:00.000Z')
  const risk = (level: 'high' | 'medium', score: number) => ({ level, score, signals: [] })
  const items: WorkItem[] = [
    { ...item, _id: 'high', risk: risk('high', 80) },
    { ...item, _id: 'medium', kind: 'kyc', risk: risk('medium', 40), assigned: taken },
    { ...item, _id: 'none', kind: 'message', dueAt: '2026-03-01T00:00:00.000Z' },
  ]
  const none = { kind: '', risk: '', assigned: '', due: '' }
  const find = (filters: Partial<typeof none>) =>
    items.filter((found) => matchesWork(found, { ...none, ...filters }, 'o', nowMs)).map(({ _id }) => _id)
  expect(find({})).toEqual(['high', 'medium', 'none'])
  expect(find({ kind: 'kyc' })).toEqual(['medium'])
  expect([find({ risk: 'high' }), find({ risk: 'medium' })]).toEqual([['high'], ['high', 'medium']])
  expect([find({ assigned: 'me' }), find({ assigned: 'nobody' })]).toEqual([['medium'], ['high', 'none']])
  expect(find({ due: 'overdue', risk: 'medium' })).toEqual(['high', 'medium'])
  expect(sortByRisk(items.toReversed()).map(({ _id }) => _id)).toEqual(['high', 'medium', 'none'])
})

it('work is in groups by when it is due', () => {
  const nowMs = new Date(2026, 0, 31, 12).getTime()
  const due = (_id: string, hours: number): WorkItem => ({
    ...item,
    _id,
    dueAt: new Date(nowMs + hours * 3_600_000).toISOString(),
  })
  const groups = groupByDue([due('later', 13), due('today', 11), due('late', 0), due('also late', -1)], nowMs)
  expect(groups.map(({ title, items }) => [title, items.map(({ _id }) => _id)])).toEqual([
    ['Overdue', ['late', 'also late']],
    ['Due today', ['today']],
    ['Due later', ['later']],
  ])
})

it('assigned cases come first, then second approvals and payouts', () => {
  const items: WorkItem[] = [
    { ...item, _id: 'old' },
    { ...item, _id: 'taken', assigned: taken },
    { ...item, _id: 'by another', assigned: { ...taken, _id: 's' } },
    { ...item, _id: 'theirs', waitsFor: 'others' },
    { ...item, _id: 'second', first: olga },
    { ...item, _id: 'pay', kind: 'payout' },
    { ...item, _id: 'new', kind: 'message' },
  ]
  const { yours, first, rest, others, more } = sortWork(items, 'o')
  const ids = [yours, first, rest, others].map((list) => list.map(({ _id }) => _id))
  expect(ids).toEqual([['taken'], ['second', 'pay'], ['old', 'by another', 'new'], ['theirs']])
  expect(more).toEqual([])
})

it('the next work is the first of one’s own, apart from the case just decided', () => {
  const items: WorkItem[] = [
    { ...item, _id: 'theirs', waitsFor: 'others' },
    { ...item, _id: 'decided' },
    { ...item, _id: 'next' },
  ]
  expect(findNextWorkHref(items, 'decided', 'o')).toBe('/operator/deposits?open=next&via=work')
  expect(findNextWorkHref(items.slice(0, 2), 'decided', 'o')).toBeNull()
  const others = { ...item, _id: 'of another', assigned: { ...taken, _id: 's' } }
  expect(findNextWorkHref([others], 'decided', 'o')).toBeNull()
  expect(findNextWorkHref([...items, { ...item, _id: 'yours', assigned: taken }], 'decided', 'o')).toContain(
    'open=yours',
  )
})
