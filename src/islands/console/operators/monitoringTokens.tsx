import { useState } from 'react'
import {
  createMonitoringToken,
  listMonitoringTokens,
  type MonitoringToken,
  revokeMonitoringToken,
  TOKEN_DAYS,
} from '../../../contract/console/monitoring.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Status } from '../../../design/Status.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { getKeyStatus } from '../../lib/keyStatus.ts'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import type { NewRowProps, QueueKind } from '../cases/queueKind.ts'

/** Tokens of programs that read health and queue lengths. */
export const monitoringTokens: QueueKind<MonitoringToken> = {
  endpoint: listMonitoringTokens,
  plural: 'tokens',
  singular: 'token',
  title: 'Monitoring tokens',
  openedBy: 'token',
  columns: [
    { key: 'name', header: 'Name', narrow: 'line', cell: ({ name }) => <bdi>{name}</bdi> },
    {
      key: 'by',
      header: 'Created by',
      narrow: 'line',
      label: true,
      cell: ({ steps }) => <bdi>{steps[0]?.by?.name}</bdi>,
    },
    {
      key: 'used',
      header: 'Last used',
      narrow: 'line',
      label: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <TableDate at={lastUsedAt} />),
    },
    {
      key: 'expires',
      header: 'Works until',
      narrow: 'line',
      label: true,
      cell: ({ expiresAt }) => <TableDate at={expiresAt} show="date" />,
    },
    {
      key: 'status',
      header: 'Status',
      narrow: 'line',
      cell: (token) => {
        const label = getKeyStatus(token)
        return <Status status={label === 'Valid' ? 'active' : 'cancelled'} label={label} />
      },
    },
  ],
  emptyText: 'No program watches the platform with a token.',
  skeletonRows: 1,
  note: (
    <p className="small soft">
      A program reads <code translate="no">GET /api/v1/monitoring</code> with it: health and queue lengths,
      and nothing else.
    </p>
  ),
  create: {
    label: 'Create a token',
    title: 'Create a monitoring token',
    scope: 'operator:operators.write',
    form: CreateToken,
  },
  titleOf: (token) => token?.name ?? 'Token',
  details: ({ expiresAt }) => (
    <Facts facts={[{ label: 'Works until', value: <DateTime at={expiresAt} show="date" /> }]} />
  ),
  decisions: (token) =>
    getKeyStatus(token) === 'Valid'
      ? [
          {
            key: 'r',
            label: 'Revoke it',
            scope: 'operator:operators.write',
            variant: 'danger',
            panel: (props) => (
              <ConfirmOnly {...props} endpoint={revokeMonitoringToken} confirmLabel="Revoke the token">
                <p>The program gets no answer any more. A new token does not bring this one back.</p>
              </ConfirmOnly>
            ),
          },
        ]
      : [],
  outcomeOf: () => ({ tone: 'success', title: 'Revoked', text: 'This token no longer works.' }),
}

function CreateToken({ queue }: NewRowProps<MonitoringToken>) {
  const [created, setCreated] = useState<MonitoringToken | null>(null)
  const { shell, field } = useEndpointForm({
    endpoint: createMonitoringToken,
    defaultValues: { days: '90' },
    focus: 'name',
    failures: 'form',
    onDone: (token) => {
      setCreated(token)
      queue.reload()
    },
  })
  if (created?.token !== undefined)
    return (
      <Notice tone="success" live title="Copy the token now. We do not show it again">
        <Copied text={created.token} what="token" />
        <span>
          {' '}
          Send it as <code translate="no">Authorization: Bearer …</code>
        </span>
      </Notice>
    )
  return (
    <Form {...shell} submitLabel="Create the token">
      <TextField
        label="Name"
        autoComplete="off"
        maxLength={60}
        hint="The program that uses it."
        {...field('name')}
      />
      <SelectField
        label="Works for"
        options={TOKEN_DAYS.map((days) => ({ value: days, label: `${days} days` }))}
        {...field('days')}
      />
    </Form>
  )
}
