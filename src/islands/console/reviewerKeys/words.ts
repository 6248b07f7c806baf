import type { ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import type { StatusProps } from '../../../design/Status.tsx'

/** Where a key stands, in the words and looks of a status. */
export const KEY_STATUS: Record<ReviewerKey['status'], StatusProps> = {
  awaiting: { status: 'pending', label: 'Waiting for approval' },
  active: { status: 'active', label: 'In use' },
  retired: { status: 'retired', label: 'Retired' },
}
