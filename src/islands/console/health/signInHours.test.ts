import { expect, it } from 'vitest'
import { countFailedSignIns } from './signInHours.ts'

const NOW = '2026-01-31T09:30:00.000Z'

it('failed sign-ins are told by hour of the last day and by cause of the week, most first', () => {
  const failed = countFailedSignIns(NOW, [
    { at: '2026-01-25T11:00:00.000Z', cause: 'code', count: 40 },
    { at: '2026-01-30T09:00:00.000Z', cause: 'password', count: 7 },
    { at: '2026-01-30T10:00:00.000Z', cause: 'password', count: 2 },
    { at: '2026-01-31T09:00:00.000Z', cause: 'password', count: 3 },
    { at: '2026-01-31T09:00:00.000Z', cause: 'too_many', count: 1 },
  ])
  expect(failed.hours).toHaveLength(24)
  expect(failed.hours[0]).toEqual({ at: '2026-01-30T10:00:00.000Z', count: 2 })
  expect(failed.hours[1]?.count).toBe(0)
  expect(failed.hours.at(-1)).toEqual({ at: '2026-01-31T09:00:00.000Z', count: 4 })
  expect(failed).toMatchObject({ day: 6, week: 53 })
  expect(failed.causes).toEqual([
    { cause: 'Wrong code', day: 0, week: 40 },
    { cause: 'Wrong e-mail or password', day: 5, week: 12 },
    { cause: 'Too many attempts', day: 1, week: 1 },
  ])
})

it('where none failed there is no cause', () => {
  expect(countFailedSignIns(NOW, [])).toMatchObject({ day: 0, week: 0, causes: [] })
})
