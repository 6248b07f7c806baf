import { DateTime } from '../../../design/DateTime.tsx'

/** Until when a withdrawal to a new destination is not paid, why, and what spares the wait. */
export function HoldWords({ until }: { until: string }) {
  return (
    <>
      <p>
        It is paid on <DateTime at={until} /> at the earliest, because its destination is new. That leaves a
        day to stop what you did not ask for.
      </p>
      <p>
        A withdrawal that you confirm with a second factor does not wait, once three days have passed since
        your password, e-mail address or second factor last changed. You can turn one on{' '}
        <a href="/dashboard/profile#security">in your profile</a>. This withdrawal keeps its time.
      </p>
    </>
  )
}
