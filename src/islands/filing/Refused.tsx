import { LoadFailure } from '../../design/LoadFailure.tsx'
import { useResource } from '../lib/resource.ts'
import type { FilingNoticeProps } from './FilingNotice.tsx'

/** Says in a form why its request was refused, whatever is typed. What says it is fetched then. */
export function Refused(props: Omit<FilingNoticeProps, 'refused'>) {
  const notice = useResource('notice', () => import('./FilingNotice.tsx'))
  if (notice.state === 'loading') return null
  if (notice.state === 'failed') return <LoadFailure msg={notice.msg} onRetry={notice.reload} />
  return <notice.data.FilingNotice refused {...props} />
}
