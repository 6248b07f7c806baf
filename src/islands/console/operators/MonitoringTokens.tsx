import { useState } from 'react'
import {
  createMonitoringToken,
  listMonitoringTokens,
  type MonitoringToken,
  revokeMonitoringToken,
  TOKEN_DAYS,
} from '../../../contract/console/monitoring.ts'
import { Button } from '../../../design/Button.tsx'
import { Copied } from '../../../design/CopyButton.tsx'
import { TableDate } from '../../../design/DateTime.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useResource } from '../../lib/resource.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { useOperator } from '../cases/useOperator.ts'

/** Tokens of programs that read health and queue lengths. */
export function MonitoringTokens() {
  const { can } = useOperator()
  const mayChange = can('operator:operators.write')
  const tokens = useResource('monitoring tokens', () => call(listMonitoringTokens))
  const [isCreating, setCreating] = useState(false)
  const [opened, setOpened] = useState<MonitoringToken | null>(null)
  const close = () => {
    setOpened(null)
    tokens.reload()
  }
  return (
    <>
      <TablePanel
        title="Monitoring tokens"
        columns={COLUMNS}
        data={tokens.state === 'ready' ? { state: 'ready', rows: tokens.data } : tokens}
        rowKey={({ _id }) => _id}
        emptyText="No program watches the platform with a token."
        onRetry={tokens.reload}
        skeletonRows={1}
        {...(mayChange && { onOpen: setOpened })}
        actions={
          mayChange && (
            <Button size="small" onClick={() => setCreating(true)}>
              Create a token
            </Button>
          )
        }
      >
        <p className="small soft">
          A program reads <code translate="no">GET /api/v1/monitoring</code> with it: health and queue
          lengths, and nothing else.
        </p>
      </TablePanel>
      <Modal open={isCreating} onClose={() => setCreating(false)} title="Create a monitoring token">
        <CreateToken onCreated={tokens.reload} />
      </Modal>
      <Modal open={opened !== null} onClose={() => setOpened(null)} title={opened?.name ?? 'Token'}>
        {opened && getTokenStatus(opened) === 'Valid' ? (
          <ConfirmOnly
            row={opened}
            endpoint={revokeMonitoringToken}
            confirmLabel="Revoke the token"
            onCancel={() => setOpened(null)}
            onDecided={() => {
              toast.success('The token is revoked.')
              close()
            }}
            onOvertaken={close}
          >
            <p>The program gets no answer any more. A new token does not bring this one back.</p>
          </ConfirmOnly>
        ) : (
          <p>This token no longer works.</p>
        )}
      </Modal>
    </>
  )
}

function CreateToken({ onCreated }: { onCreated: () => void }) {
  const [created, setCreated] = useState<MonitoringToken | null>(null)
  const { shell, field } = useEndpointForm({
    endpoint: createMonitoringToken,
    defaultValues: { days: '90' },
    focus: 'name',
    failures: 'form',
    onDone: (token) => {
      setCreated(token)
      onCreated()
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

function getTokenStatus({ revokedAt, expiresAt }: MonitoringToken): 'Revoked' | 'Expired' | 'Valid' {
  if (revokedAt !== null) return 'Revoked'
  return Date.parse(expiresAt) <= getServerNow() ? 'Expired' : 'Valid'
}

const COLUMNS: readonly Column<MonitoringToken>[] = [
  { key: 'name', header: 'Name', narrow: 'line', cell: ({ name }) => <bdi>{name}</bdi> },
  {
    key: 'by',
    header: 'Created by',
    narrow: 'line',
    label: true,
    cell: ({ createdBy }) => <bdi>{createdBy}</bdi>,
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
      const label = getTokenStatus(token)
      return <Status status={label === 'Valid' ? 'active' : 'cancelled'} label={label} />
    },
  },
]
