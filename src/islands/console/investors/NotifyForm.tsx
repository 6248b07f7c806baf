import { useRef } from 'react'
import { notifyInvestor, type OperatorInvestor } from '../../../contract/console/investors.ts'
import { Button } from '../../../design/Button.tsx'
import { CheckboxField } from '../../../design/CheckboxField.tsx'
import { TextArea } from '../../../design/TextArea.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { ConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { useConfirmedForm } from '../cases/useConfirmedForm.ts'
import { MARKS, type Mark, withMark } from './markup.ts'
import { NotificationPreview } from './NotificationPreview.tsx'
import styles from './NotifyForm.module.css'
import { usePreview } from './usePreview.ts'

interface NotifyFormProps {
  investor: OperatorInvestor
  onSent: () => void
  onCancel: () => void
}

/** Writes a notification beside what the investor will see of it, and shows it in place of the one before. */
export function NotifyForm({ investor, onSent, onCancel }: NotifyFormProps) {
  const form = useConfirmedForm({
    endpoint: notifyInvestor,
    params: { id: investor._id },
    onDone: onSent,
  })
  const { watch, setValue } = form.form
  const title = String(watch('title') ?? '')
  const preview = usePreview(String(watch('content') ?? ''))
  const area = useRef<HTMLDivElement>(null)
  const put = (mark: Mark) => {
    const field = area.current?.querySelector('textarea')
    if (!field) return
    const next = withMark(field.value, field.selectionStart, field.selectionEnd, mark)
    setValue('content', next.text)
    field.focus()
    field.setSelectionRange(next.start, next.end)
  }
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review"
      confirmLabel={() => 'Show the notification'}
      summary={({ persistent }) => (
        <>
          <p>
            {investor.name} ({investor.email}) sees this{' '}
            {isOn(persistent) ? 'on every visit, until another takes its place' : 'until they press Okay'}. It
            takes the place of the one before.
          </p>
          <NotificationPreview title={title} preview={preview} />
        </>
      )}
      onCancel={onCancel}
    >
      <div className={styles.beside}>
        <div className="stack">
          <TextField label="Title" maxLength={200} autoComplete="off" {...form.field('title')} />
          <div ref={area} className="stack">
            <fieldset className={styles.marks}>
              <legend className="visually-hidden">Put into the content</legend>
              {(Object.keys(MARKS) as Mark[]).map((mark) => (
                <Button key={mark} size="small" onClick={() => put(mark)}>
                  {mark}
                </Button>
              ))}
            </fieldset>
            <TextArea
              label="Content"
              rows={8}
              maxLength={16384}
              hint="Text or simple HTML: paragraphs, lists, emphasis, and links to our own pages. Everything else is taken out."
              {...form.field('content')}
            />
          </div>
          <CheckboxField label="Show it again on every visit" {...form.field('persistent')} />
        </div>
        <NotificationPreview title={title} preview={preview} />
      </div>
    </ConfirmedForm>
  )
}

function isOn(persistent: unknown): boolean {
  return persistent === true || persistent === 'true'
}
