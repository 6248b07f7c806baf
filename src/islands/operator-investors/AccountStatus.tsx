import { Status } from '../../design/Status.tsx'

/** Whether money can move. */
export function AccountStatus({ frozen }: { frozen: boolean }) {
  return <Status status={frozen ? 'frozen' : 'active'} />
}
