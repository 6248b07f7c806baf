import type { Assignment } from '../../../contract/console/cases.ts'
import { formatAge } from './age.ts'
import type { Operator } from './useOperator.ts'

/** Who has a case and since when: "Assigned to you, 10 min ago". */
export function describeAssignment(
  { _id, name, since }: Assignment,
  me: Operator['me'],
  nowMs: number,
): string {
  return `Assigned to ${_id === me?._id ? 'you' : name}, ${formatAge(since, nowMs)} ago`
}
