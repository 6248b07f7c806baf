import { afterEach, expect, test, vi } from 'vitest'
import type { AuditVerdict } from '../../../contract/console/audit.ts'
import { call } from '../../lib/api.ts'
import { type LogComparison, verifyLog } from './verifyLog.ts'

vi.mock('../../lib/api.ts', () => ({ call: vi.fn() }))
afterEach(() => {
  vi.mocked(call).mockReset()
})

const page = (verdict: Partial<AuditVerdict>): AuditVerdict => ({
  ok: true,
  checkedTo: 0,
  complete: false,
  sealed: 0,
  unsealed: 0,
  broken: [],
  ...verdict,
})

function answer(...pages: Partial<AuditVerdict>[]) {
  for (const verdict of pages) vi.mocked(call).mockResolvedValueOnce(page(verdict))
}

test('a log is compared page by page, from where the last one ended, and all that is broken is named', async () => {
  const broken = [{ seq: 12, why: 'changed' }] as const
  answer(
    { checkedTo: 10_000, sealed: 10_000, ok: false, broken: [...broken] },
    { checkedTo: 10_007, sealed: 4, unsealed: 3, complete: true },
  )
  const seen: LogComparison[] = []
  const found = await verifyLog((compared) => seen.push(compared), new AbortController().signal)
  expect(found).toEqual({ lines: 10_007, to: 10_007, broken, complete: true })
  expect(seen.map(({ lines }) => lines)).toEqual([10_000, 10_007])
  expect(vi.mocked(call).mock.calls.map(([, options]) => options?.query)).toEqual([
    { after: '0' },
    { after: '10000' },
  ])
})

test('a comparison that is called off asks for no further page', async () => {
  const off = new AbortController()
  answer({ checkedTo: 10_000, sealed: 10_000 }, { checkedTo: 20_000, sealed: 10_000 })
  const found = await verifyLog(() => off.abort(), off.signal)
  expect([found.lines, found.complete]).toEqual([10_000, false])
  expect(call).toHaveBeenCalledTimes(1)
})

test('an answer that leads no further ends it', async () => {
  answer({ checkedTo: 0 })
  expect((await verifyLog(() => {}, new AbortController().signal)).complete).toBe(true)
  expect(call).toHaveBeenCalledTimes(1)
})
