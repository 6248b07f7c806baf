import { TextArea } from '../../../design/Field.tsx'
import type { FieldAttributes } from '../../lib/form.ts'

/** The two texts of a credit: one for the investor, one for operators. */
export function CreditNotes({ field }: { field: (name: 'note' | 'internalNote') => FieldAttributes }) {
  return (
    <>
      <TextArea
        label="Message to the investor"
        optional
        rows={2}
        maxLength={500}
        hint="The investor reads it in the history of this deposit."
        {...field('note')}
      />
      <TextArea
        label="Internal note"
        optional
        rows={2}
        maxLength={500}
        hint="Only operators read it, among the notes about the investor."
        {...field('internalNote')}
      />
    </>
  )
}
