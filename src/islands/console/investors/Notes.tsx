import { listInvestorNotes } from '../../../contract/console/investorFile.ts'
import { addInvestorNote, type InvestorNote, LONGEST_NOTE } from '../../../contract/console/investors.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { TextArea } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Switch } from '../../../design/Switch.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { Waiting } from '../../lib/Loaded.tsx'
import { usePages } from '../../lib/pages.ts'
import { getData } from '../../lib/resource.ts'
import { NeedsRole } from '../cases/OperatorScreen.tsx'
import { isConfidant, useOperator } from '../cases/useOperator.ts'
import { useSettings } from '../cases/useSettings.ts'
import type { PartProps } from './InvestorPage.tsx'
import styles from './Investors.module.css'

/** Operators' notes about the investor. */
export function Notes({ investor }: PartProps) {
  const { can } = useOperator()
  const { data, reload, ...more } = usePages(listInvestorNotes, {}, { id: investor._id })
  return (
    <Panel title="Notes">
      {can('operator:investors.note') && <NoteForm id={investor._id} onNoted={reload} />}
      <NeedsRole scope="operator:investors.note" />
      {data.state === 'loading' && (
        <Waiting label="Loading the notes">
          <Skeleton width="long" />
          <Skeleton width="full" />
        </Waiting>
      )}
      {data.state === 'failed' && <LoadFailure msg={data.msg} onRetry={reload} />}
      {data.state === 'ready' && data.rows.length === 0 && <p className="soft">There are no notes yet.</p>}
      {data.state === 'ready' && data.rows.length > 0 && (
        <>
          <NoteList notes={data.rows} />
          <Pagination {...more} />
        </>
      )}
    </Panel>
  )
}

/** Notes with who wrote them and when. */
export function NoteList({ notes }: { notes: readonly InvestorNote[] }) {
  return (
    <ol className={styles.notes} aria-label="Notes">
      {notes.map(({ _id, at, by, text, confidential }) => (
        <li key={_id} className={styles.note}>
          <p className={styles.noteText}>{text}</p>
          <p className="small soft">
            <span>{confidential && 'Confidential. '}</span>
            {by}, <DateTime at={at} />
          </p>
        </li>
      ))}
    </ol>
  )
}

/** Adds a note about an investor. */
export function NoteForm({ id, onNoted }: { id: string; onNoted: () => void }) {
  const { me } = useOperator()
  const settings = getData(useSettings())
  const isTrusted = isConfidant(me, settings)
  const { shell, field, form } = useEndpointForm({
    endpoint: addInvestorNote,
    bodyOf: ({ text, confidential }) => ({ text, ...(confidential && { confidential }) }),
    params: { id },
    draft: `note ${id}`,
    onDone: () => {
      form.reset()
      toast.success('The note was added.')
      onNoted()
    },
  })
  return (
    <Form {...shell} submitLabel="Add the note">
      <TextArea
        label="Note"
        rows={3}
        maxLength={LONGEST_NOTE}
        hint="You cannot change a note later. The investor gets the text, without your name, when they download their data. Write the reason of a freeze into the freeze instead: the investor does not get it."
        {...field('text')}
      />
      {isTrusted && (
        <Switch
          label="Confidential"
          hint="Only compliance, auditors and the role of the settings can read it. The investor never gets it."
          checked={form.watch('confidential') === true}
          onChange={({ target }) => form.setValue('confidential', target.checked)}
        />
      )}
    </Form>
  )
}
