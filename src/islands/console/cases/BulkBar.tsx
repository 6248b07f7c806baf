import { getWorkKind } from '../../../contract/console/work.ts'
import { assignCase } from '../../../contract/console/workItems.ts'
import { Button } from '../../../design/Button.tsx'
import { toast } from '../../../design/toasts.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { ColleagueSelect } from './CaseAssignment.tsx'
import type { QueueKind, QueueRow } from './queueKind.ts'
import { useOperator } from './useOperator.ts'
import type { Queue } from './useQueue.ts'

interface BulkBarProps<Row extends QueueRow> {
  kind: QueueKind<Row>
  queue: Queue<Row>
  rows: readonly Row[]
  /** Called with the rows that stay selected. */
  onDone: (failed: readonly string[]) => void
}

/** Acts on several rows one by one: only acts that somebody can take back. */
export function BulkBar<Row extends QueueRow>({ kind, queue, rows, onDone }: BulkBarProps<Row>) {
  const { me, can } = useOperator()
  const { busy, start } = useAction(async (act: (row: Row) => Promise<void>) => {
    const failed: string[] = []
    for (const row of rows) {
      try {
        await act(row)
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error
        failed.push(row._id)
      }
    }
    onDone(failed)
    if (failed.length === 0) toast.success(`Done for ${rows.length} ${kind.plural}.`)
    else toast.error(`Not done for ${failed.length} of ${rows.length} ${kind.plural}. They stay selected.`)
  })
  const { workOf, bulk } = kind
  const assignTo = (to: string) =>
    start(async (row) => {
      const { assigned } = await call(assignCase, { params: { id: row._id }, body: { to }, quiet: true })
      queue.update({ ...row, assigned })
    })
  const scopes = workOf === undefined ? [] : rows.map((row) => getWorkKind(workOf(row)).scope)
  return (
    <section className="row" aria-label={`Selected ${kind.plural}`}>
      <strong>{`${rows.length} selected`}</strong>
      {workOf !== undefined && me !== null && scopes.every(can) && (
        <>
          <Button size="small" busy={busy} onClick={() => assignTo(me._id)}>
            Assign to me
          </Button>
          <ColleagueSelect scopes={scopes} busy={busy} onChoose={assignTo} />
        </>
      )}
      {bulk && can(bulk.scope) && (
        <Button
          size="small"
          busy={busy}
          onClick={() =>
            start(async (row) => {
              const params = { id: row._id }
              queue.put(await call(bulk.endpoint, { params, body: {}, quiet: true }))
            })
          }
        >
          {bulk.label}
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={() => onDone([])}>
        Clear
      </Button>
    </section>
  )
}
