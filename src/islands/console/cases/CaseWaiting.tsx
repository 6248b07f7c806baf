import { Skeleton } from '../../../design/Skeleton.tsx'

/** In a dialog, before what it shows has come. */
export function CaseWaiting({ what }: { what: string }) {
  return (
    <div className="stack" role="status">
      <Skeleton width="long" />
      <Skeleton width="full" height="block" />
      <span className="visually-hidden">Loading the {what}</span>
    </div>
  )
}
