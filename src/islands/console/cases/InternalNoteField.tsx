import { TextArea } from '../../../design/Field.tsx'
import type { FieldAttributes } from '../../lib/form.ts'

/** Words of one operator that only operators read. */
export function InternalNoteField({
  hint = 'Only operators read it, among the notes about the investor.',
  ...field
}: FieldAttributes & { hint?: string | undefined }) {
  return <TextArea label="Internal note" optional rows={2} maxLength={500} hint={hint} {...field} />
}
