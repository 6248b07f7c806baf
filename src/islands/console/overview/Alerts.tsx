import { type OperatorHealth, retryMail } from '../../../contract/console/health.ts'
import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { toast } from '../../../design/toasts.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { dataOf, type Fresh, type Resource } from '../../lib/resource.ts'
import { neededRole } from '../cases/roleWords.ts'
import { useOperator } from '../cases/useOperator.ts'
import { type Alert, alertsOf } from './alerts.ts'

export interface AlertsProps {
  /** Undefined until the operator is loaded. */
  overview: Resource<Fresh<OperatorOverview>> | undefined
  health: Resource<Fresh<OperatorHealth>> | undefined
  onRetried: () => void
}

/** The alerts, or that there are none, and when the figures were loaded. */
export function Alerts({ overview, health, onRetried }: AlertsProps) {
  const isLoading = [overview, health].some((part) => part === undefined || part.state === 'loading')
  const parts = { overview: dataOf(overview), health: dataOf(health) }
  const alerts = alertsOf(parts.overview?.data, parts.health?.data)
  const isWhole = parts.overview !== undefined && parts.health !== undefined
  return (
    <Panel title="What needs somebody">
      <div className="stack" aria-busy={isLoading}>
        {alerts.map((alert) => (
          <AlertNotice key={alert.id} alert={alert} onRetried={onRetried} />
        ))}
        {alerts.length === 0 && isLoading && <Skeleton width="full" height="block" />}
        {alerts.length === 0 && !isLoading && isWhole && (
          <Notice tone="success" title="Nothing needs anybody beyond the queues">
            Books, mail, cron, self-checks, prices, strategies and sign-ins are as they should be.
          </Notice>
        )}
        {isWhole && <LoadedAt parts={[parts.overview, parts.health]} />}
      </div>
    </Panel>
  )
}

function AlertNotice({ alert, onRetried }: { alert: Alert; onRetried: () => void }) {
  const { tone, title, since, text, leads, act } = alert
  return (
    <Notice
      tone={tone}
      title={title}
      actions={
        act === 'retry mail' ? (
          <RetryMail onDone={onRetried} />
        ) : (
          leads && (
            <ButtonLink href={leads.href} size="small">
              {leads.label}
            </ButtonLink>
          )
        )
      }
    >
      {since && (
        <>
          Since <DateTime at={since} />.{' '}
        </>
      )}
      {text}
    </Notice>
  )
}

function RetryMail({ onDone }: { onDone: () => void }) {
  const { can } = useOperator()
  const { busy, start } = useAction(async () => {
    const { msg } = await call(retryMail)
    toast.success(msg)
    onDone()
  })
  if (!can('operator:outbox.write'))
    return <span className="small soft">{neededRole('operator:outbox.write')}</span>
  return (
    <Button size="small" busy={busy} onClick={start}>
      Try them again now
    </Button>
  )
}

/** When the older of both parts was loaded, in local time, and whether reloading failed. */
function LoadedAt({ parts }: { parts: readonly (Fresh<unknown> | undefined)[] }) {
  const loaded = parts.filter((part) => part !== undefined)
  const atMs = Math.min(...loaded.map((part) => part.atMs))
  const time = new Date(atMs).toLocaleTimeString('en-US')
  return loaded.some(({ isOld }) => isOld) ? (
    <p className="small" role="status">
      <strong>Figures of {time}: newer ones could not be had.</strong> They are asked for again each minute.
    </p>
  ) : (
    <p className="small soft">Figures of {time}, asked for again each minute while you are here.</p>
  )
}
