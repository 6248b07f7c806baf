import { type Assignment, LOCKED_MINUTES } from '../../../contract/console/cases.ts'
import { formatAge } from './age.ts'
import type { Operator } from './useOperator.ts'

/** Whether another operator has a case for so short a time that it is taken over before it is decided. */
export function isLocked(
  assigned: Assignment | null | undefined,
  me: Operator['me'],
  nowMs: number,
): boolean {
  return (
    assigned != null &&
    assigned._id !== me?._id &&
    Date.parse(assigned.since) > nowMs - LOCKED_MINUTES * 60_000
  )
}

/** Who has a case and since when: "Assigned to you, 10 min ago". */
export function describeAssignment(
  { _id, name, since }: Assignment,
  me: Operator['me'],
  nowMs: number,
): string {
  return `Assigned to ${_id === me?._id ? 'you' : name}, ${formatAge(since, nowMs)} ago`
}
