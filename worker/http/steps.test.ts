import { expect, test } from 'vitest'
import { formatDecisionTime, toStep } from './steps.ts'

test('the time of a decision is that of the newest one, unless it was undone', () => {
  const steps = [toStep('filed', 1, 'ana', 'Ana'), toStep('proposed', 2, 'olu', 'Olu')]
  expect(formatDecisionTime(steps)).toBe('')
  const approved = [...steps, toStep('approved', 3, 'per', 'Per')]
  expect(formatDecisionTime([...approved, toStep('paid', 4, 'olu', 'Olu')])).toBe('1970-01-01T00:00:00.003Z')
  const returned = [...approved, toStep('returned', 5, 'per', 'Per')]
  expect(formatDecisionTime([...returned, toStep('cancelled', 6, 'ana', 'Ana')])).toBe('')
  expect(formatDecisionTime([...returned, toStep('rejected', 7, 'per', 'Per')])).toBe(
    '1970-01-01T00:00:00.007Z',
  )
})
