import { TextArea } from '../../../design/Field.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import styles from '../cases/Fold.module.css'
import { InternalNoteField } from '../cases/InternalNoteField.tsx'

/** The two texts of a credit: one for the investor, one for operators. */
export function CreditNotes({ field }: { field: (name: 'note' | 'internalNote') => FieldAttributes }) {
  return (
    <details className={styles.fold}>
      <summary>
        Add a message or a note <span className="soft">(optional)</span>
      </summary>
      <div className="stack">
        <TextArea
          label="Message to the investor"
          optional
          rows={2}
          maxLength={500}
          hint="The investor reads it in the history of this deposit."
          {...field('note')}
        />
        <InternalNoteField {...field('internalNote')} />
      </div>
    </details>
  )
}
