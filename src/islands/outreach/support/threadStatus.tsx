import type { OwnThread } from '../../../contract/outreach/threads.ts'
import { Status } from '../../../design/Status.tsx'

const LOOKS: Record<OwnThread['status'], string> = {
  open: 'pending',
  answered: 'completed',
  closed: 'retired',
}

/** The status of a thread, with the icon of its meaning. */
export function renderThreadStatus(status: OwnThread['status']) {
  return <Status status={LOOKS[status]} label={status.charAt(0).toUpperCase() + status.slice(1)} />
}
