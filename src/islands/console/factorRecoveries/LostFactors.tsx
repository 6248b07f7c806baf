import { useState } from 'react'
import { type FactorRecovery, listFactorRecoveries } from '../../../contract/console/factorRecoveries.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { OneLine } from '../cases/OneLine.tsx'
import { Person } from '../cases/Person.tsx'
import { RecoveryCase } from './RecoveryCase.tsx'
import { standingOf } from './words.ts'

/** Above the identity documents: investors who lost their second factor and wait for two reviewers. Nothing, while nobody does. */
export function LostFactors({ settings }: { settings: Settings | null }) {
  const open = useResource('lost factors', () =>
    call(listFactorRecoveries, { query: { status: 'open', limit: '100' } }),
  )
  const [chosen, choose] = useState<FactorRecovery | null>(null)
  if (open.state === 'failed') return <LoadFailure msg={open.msg} onRetry={open.reload} />
  if (open.state !== 'ready' || (open.data.length === 0 && chosen === null)) return null
  return (
    <Panel title="Lost second factors">
      <Table
        caption="Lost second factors"
        columns={columns}
        data={{ state: 'ready', rows: open.data }}
        rowKey={({ _id }) => _id}
        emptyText="Nobody waits."
        onOpen={choose}
      />
      <Modal open={chosen !== null} onClose={() => choose(null)} title="Lost second factor" size="large">
        {chosen !== null && <RecoveryCase recovery={chosen} settings={settings} onChanged={open.reload} />}
      </Modal>
    </Panel>
  )
}

const columns: readonly Column<FactorRecovery>[] = [
  { key: 'investor', header: 'Investor', narrow: 'line', cell: ({ investor }) => <Person {...investor} /> },
  { key: 'standing', header: 'Status', narrow: 'line', cell: standingOf },
  {
    key: 'at',
    header: 'Requested',
    narrow: 'start',
    cell: ({ filedAt }) => (
      <OneLine>
        <DateTime at={filedAt} />
      </OneLine>
    ),
  },
]
