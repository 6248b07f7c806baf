import { CircleCheck, TriangleAlert } from 'lucide-react'
import { type OperatorHealth, retryBlocks, retryMail } from '../../../contract/console/health.ts'
import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { toast } from '../../../design/toasts.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { type Fresh, getData, type Resource } from '../../lib/resource.ts'
import { describeScopeRoles } from '../cases/roleWords.ts'
import { useOperator } from '../cases/useOperator.ts'
import { type Alert, listAlerts } from './alerts.ts'
import styles from './Health.module.css'

export interface AlertsProps {
  /** Undefined until the operator is loaded. */
  overview: Resource<Fresh<OperatorOverview>> | undefined
  health: Resource<Fresh<OperatorHealth>> | undefined
  onRetried: () => void
}

/** The alerts, or one line if there are none, and when the figures were loaded. */
export function Alerts({ overview, health, onRetried }: AlertsProps) {
  const { alerts, isLoading, isWhole, parts } = deriveAlertsState({ overview, health })
  return (
    <section className="stack" aria-label="State of the platform" aria-busy={isLoading}>
      {alerts.map((alert) => (
        <AlertNotice key={alert.id} alert={alert} onRetried={onRetried} />
      ))}
      {alerts.length === 0 && isLoading && <Skeleton width="full" height="block" />}
      {alerts.length === 0 && !isLoading && isWhole && <Notice tone="success">{ALL_NORMAL}</Notice>}
      {isWhole && <LoadedAt parts={parts} />}
    </section>
  )
}

const ALL_NORMAL = 'All systems normal.'

/** The state of the platform in one line, with a link to its page. */
export function HealthLine({ overview, health }: Pick<AlertsProps, 'overview' | 'health'>) {
  const { alerts, isLoading, isWhole } = deriveAlertsState({ overview, health })
  const [first, ...others] = alerts
  // If another alert comes first, overdue cases are named, too.
  const overdue = others.find(({ id }) => id === 'overdue')
  const more = others.length - (overdue ? 1 : 0)
  const Icon = first ? TriangleAlert : CircleCheck
  return (
    <p className={joinClasses(styles.line, first && styles[first.tone])} aria-busy={isLoading}>
      {isLoading ? (
        <Skeleton width="medium" />
      ) : (
        <>
          <Icon aria-hidden="true" size={16} />
          <span>
            <span>
              {first ? first.title : isWhole ? ALL_NORMAL : 'The state of the platform could not be loaded.'}
            </span>
            <span>{overdue && `. ${overdue.title}`}</span>
            <span>{more > 0 && `, and ${more} more`}</span>{' '}
            <a href="/operator/health">{first ? 'See all alerts' : 'Health'}</a>
          </span>
        </>
      )}
    </p>
  )
}

function deriveAlertsState({ overview, health }: Pick<AlertsProps, 'overview' | 'health'>) {
  const parts = [getData(overview), getData(health)] as const
  return {
    alerts: listAlerts(parts[0]?.data, parts[1]?.data),
    isLoading: [overview, health].some((part) => part === undefined || part.state === 'loading'),
    isWhole: parts.every((part) => part !== undefined),
    parts,
  }
}

function AlertNotice({ alert, onRetried }: { alert: Alert; onRetried: () => void }) {
  const { tone, title, since, text, leads, act } = alert
  return (
    <Notice
      tone={tone}
      title={title}
      actions={
        act ? (
          <Retry {...RETRIES[act]} onDone={onRetried} />
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
        <span>
          Since <DateTime at={since} />.{' '}
        </span>
      )}
      <span>{text}</span>
    </Notice>
  )
}

const RETRIES = {
  'retry mail': { endpoint: retryMail, scope: 'operator:outbox.write' },
  'retry blocks': { endpoint: retryBlocks, scope: 'operator:wallets.watch' },
} as const

type RetryProps = (typeof RETRIES)[keyof typeof RETRIES] & { readonly onDone: () => void }

function Retry({ endpoint, scope, onDone }: RetryProps) {
  const { can } = useOperator()
  const { busy, start } = useAction(async () => {
    const { msg } = await call(endpoint)
    toast.success(msg)
    onDone()
  })
  if (!can(scope)) return <span className="small soft">{describeScopeRoles(scope)}</span>
  return (
    <Button size="small" busy={busy} onClick={start}>
      Retry now
    </Button>
  )
}

/** When the older of both parts was loaded, in local time, and whether reloading failed. */
function LoadedAt({ parts }: { parts: readonly (Fresh<unknown> | undefined)[] }) {
  const loaded = parts.filter((part) => part !== undefined)
  const atMs = Math.min(...loaded.map((part) => part.atMs))
  const time = <DateTime at={new Date(atMs).toISOString()} />
  return loaded.some(({ isOld }) => isOld) ? (
    <p className="small" role="status">
      <strong>Figures from {time}. Newer ones could not be loaded.</strong> We try again every minute.
    </p>
  ) : (
    <p className="small soft">Figures from {time}, updated every minute while this page is open.</p>
  )
}
