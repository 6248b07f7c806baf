import { useState } from 'react'
import {
  type HandoverNote,
  listHandover,
  markHandoverRead,
  writeHandover,
} from '../../../contract/console/handover.ts'
import { LONGEST_NOTE } from '../../../contract/console/investors.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Button } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { TextArea } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { usePages } from '../../lib/pages.ts'
import { useOperator } from '../cases/useOperator.ts'
import { LinkedText } from '../messages/References.tsx'
import styles from './Work.module.css'

const SHOWN_AT_ONCE = 5

/** Notes from one shift to the next. Unread ones stand open. */
export function Handover() {
  const { me, can } = useOperator()
  const { data, reload, ...more } = usePages(listHandover, { limit: String(SHOWN_AT_ONCE) })
  const [isWriting, setWriting] = useState(false)
  const { busy, start } = useAction(async (notes: readonly HandoverNote[]) => {
    for (const { _id: id } of notes) await call(markHandoverRead, { params: { id } })
    reload()
  })
  const rows = data.state === 'ready' ? data.rows : []
  const isUnread = ({ by, readBy }: HandoverNote) =>
    me !== null && by._id !== me._id && !readBy.some(({ _id }) => _id === me._id)
  const unread = rows.filter(isUnread)
  const canWrite = can('operator:cases.assign')
  const others = rows.filter((note) => !isUnread(note))
  return (
    <Panel
      title="Handover"
      actions={
        canWrite &&
        !isWriting && (
          <Button size="small" onClick={() => setWriting(true)}>
            Write a note
          </Button>
        )
      }
    >
      {data.state === 'failed' && <LoadFailure msg={data.msg} onRetry={reload} />}
      {isWriting && (
        <NoteForm
          onCancel={() => setWriting(false)}
          onDone={() => {
            setWriting(false)
            reload()
          }}
        />
      )}
      {unread.map((note) => (
        <Note key={note._id} note={note} />
      ))}
      {unread.length > 0 && canWrite && (
        <p>
          <Button size="small" variant="primary" busy={busy} onClick={() => start(unread)}>
            {unread.length === 1 ? 'Mark as read' : `Mark ${unread.length} notes as read`}
          </Button>
        </p>
      )}
      {others.length === 0 && <Pagination {...more} />}
      {data.state === 'ready' && rows.length === 0 && <p className="soft">There are no notes yet.</p>}
      {others.length > 0 && (
        <details className={styles.others}>
          <summary>
            <span>
              {unread.length > 0 ? 'Earlier notes' : 'You have read all notes. The last one is by '}
            </span>
            {unread.length === 0 && <LastNote note={others[0]} />}
          </summary>
          <div className="stack">
            {others.map((note) => (
              <Note key={note._id} note={note} />
            ))}
            <Pagination {...more} />
          </div>
        </details>
      )}
    </Panel>
  )
}

function LastNote({ note }: { note: HandoverNote | undefined }) {
  if (note === undefined) return null
  return (
    <span>
      <bdi>{note.by.name}</bdi>, <DateTime at={note.at} />
    </span>
  )
}

/** A longer note begins folded to two lines, so that the tasks stay near. */
const FOLDED_FROM = 150

function Note({ note: { text, mentioned = [], by, at, readBy } }: { note: HandoverNote }) {
  const [isOpen, setOpen] = useState(text.length < FOLDED_FROM && text.split('\n').length < 3)
  return (
    <article className={styles.note}>
      <p className={joinClasses(styles.noteText, !isOpen && styles.folded)}>
        <LinkedText text={text} mentioned={mentioned} />
      </p>
      {!isOpen && (
        <p>
          <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
            Show the whole note
          </Button>
        </p>
      )}
      <p className="soft small">
        <span>
          <bdi>{by.name}</bdi>, <DateTime at={at} />
        </span>
        <span>{readBy.length > 0 && `. Read by ${listNames(readBy)}`}</span>
      </p>
    </article>
  )
}

function listNames(readers: HandoverNote['readBy']): string {
  return new Intl.ListFormat('en-GB').format(readers.map(({ name }) => isolate(name)))
}

function NoteForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { shell, field } = useEndpointForm({ endpoint: writeHandover, draft: 'handover', onDone })
  return (
    <Form
      {...shell}
      submitLabel="Hand over"
      actions={
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <TextArea
        label="Note for the next shift"
        hint="What is overdue, which alarm stands, and whose call or document you wait for. Name cases by their reference. Notes are kept for 90 days."
        rows={4}
        maxLength={LONGEST_NOTE}
        {...field('text')}
      />
    </Form>
  )
}
