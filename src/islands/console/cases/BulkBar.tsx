import { getWorkKind } from '../../../contract/console/work.ts'
import { assignCase } from '../../../contract/console/workItems.ts'
import { Button } from '../../../design/Button.tsx'
import { toast } from '../../../design/toasts.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { SaveCsv } from '../../lib/SaveCsv.tsx'
import { ColleagueSelect } from './CaseAssignment.tsx'
import { buildFileName, type QueueKind, type QueueRow, takesField } from './queueKind.ts'
import { useOperator } from './useOperator.ts'
import type { Queue } from './useQueue.ts'

interface BulkBarProps<Row extends QueueRow> {
  kind: QueueKind<Row>
  queue: Queue<Row>
  rows: readonly Row[]
  /** Called with the rows that stay selected. */
  onDone: (failed: readonly string[]) => void
}

/** Exports the selected rows, and acts on the open ones of them one by one: only acts that somebody can take back. */
export function BulkBar<Row extends QueueRow>({ kind, queue, rows, onDone }: BulkBarProps<Row>) {
  const { me, can } = useOperator()
  // A row that was closed meanwhile is in no bulk act.
  const open = rows.filter((row) => kind.isPending?.(row, queue.status))
  const { busy, start } = useAction(
    async (act: (row: Row) => Promise<void>, among: readonly Row[] = open) => {
      const failed: string[] = []
      for (const row of among) {
        try {
          await act(row)
        } catch (error) {
          if (!(error instanceof ApiFailure)) throw error
          failed.push(row._id)
        }
      }
      onDone(failed)
      if (failed.length === 0) toast.success(`Done for ${among.length} ${kind.plural}.`)
      else toast.error(`Not done for ${failed.length} of ${among.length} ${kind.plural}. They stay selected.`)
    },
  )
  const { workOf, bulk } = kind
  const taken = open.filter((row) => bulk?.takes?.(row) !== false)
  const assignTo = (to: string) =>
    start(async (row) => {
      const { assigned } = await call(assignCase, { params: { id: row._id }, body: { to }, quiet: true })
      queue.update({ ...row, assigned })
    })
  const scopes = open.flatMap((row) => {
    const work = workOf?.(row)
    return work === undefined ? [] : getWorkKind(work).scope
  })
  return (
    <section className="row" aria-label={`Selected ${kind.plural}`}>
      <strong>{describeSelected(rows.length, open.length)}</strong>
      {open.length > 0 && workOf !== undefined && me !== null && scopes.every(can) && (
        <>
          <Button size="small" busy={busy} onClick={() => assignTo(me._id)}>
            Assign to me
          </Button>
          <ColleagueSelect scopes={scopes} busy={busy} onChoose={assignTo} />
        </>
      )}
      {taken.length > 0 && bulk && can(bulk.scope) && (
        <Button
          size="small"
          busy={busy}
          onClick={() =>
            start(async (row) => {
              const params = { id: row._id }
              queue.put(await call(bulk.endpoint, { params, body: {}, quiet: true }))
            }, taken)
          }
        >
          {bulk.label}
          <span>{taken.length < open.length && ` (${taken.length} of ${open.length})`}</span>
        </Button>
      )}
      {takesField(kind, 'format') && (
        <SaveCsv
          label="Export"
          variant="secondary"
          size="small"
          buildName={() => buildFileName(kind)}
          isList
          load={() => queue.exportRows(rows)}
        />
      )}
      <Button size="small" variant="quiet" onClick={() => onDone([])}>
        Clear
      </Button>
    </section>
  )
}

/** "3 selected", or "3 selected, 2 open" if the bulk acts leave some of them out. */
function describeSelected(count: number, open: number): string {
  return open === count || open === 0 ? `${count} selected` : `${count} selected, ${open} open`
}
