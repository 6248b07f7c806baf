import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { openCursor, takePage } from './paging.ts'

const call = { request: new Request('https://evenkeel.example/api/v1/kyc?limit=2&status=a%20b') } as Call
const rows = [9, 8, 7].map((seq) => ({ at: 1_700_000_000_000 + seq, seq }))

function cursorAfter(limit: number): string {
  const { headers } = takePage(call, rows, limit, (row) => row)
  const [, path = ''] = /^<([^>]+)>; rel="next"$/.exec(headers.Link ?? '') ?? []
  const link = new URL(path, 'https://evenkeel.example')
  expect([link.pathname, link.searchParams.get('status')]).toEqual(['/api/v1/kyc', 'a b'])
  return link.searchParams.get('cursor') ?? ''
}

test('a page ends with a cursor for the next one, the last page with none', () => {
  expect(openCursor(cursorAfter(2))).toEqual(rows[1])
  expect(openCursor(cursorAfter(1))).toEqual(rows[0])
  expect(takePage(call, rows, 3, (row) => row)).toEqual({ rows, headers: {} })
  expect(openCursor(undefined)).toBeNull()
})

test('a cursor that was cut, changed or made up is refused', () => {
  const cursor = cursorAfter(2)
  const first = cursor.startsWith('z') ? 'y' : 'z'
  for (const wrong of [
    '',
    '1-1',
    'bad-cursor',
    'not-a-cursor',
    cursor.slice(0, -1),
    `${cursor}0`,
    `${first}${cursor.slice(1)}`,
    cursor.toUpperCase(),
  ]) {
    expect(() => openCursor(wrong), wrong).toThrow('validation_failed')
  }
})
