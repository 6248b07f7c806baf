import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { getReceivedMessages, type ReceivedMessages } from '../../../contract/console/investorFile.ts'
import type { OperatorInvestor } from '../../../contract/console/investors.ts'
import { notifyInvestor, previewNotification } from '../../../contract/console/investors.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Button } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { CheckboxField, TextArea, TextField } from '../../../design/Field.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import type { Column } from '../../../design/Table.tsx'
import { describeFailure } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { NotificationContent, NotificationWindow } from '../../outreach/notifications/NotificationWindow.tsx'
import { CaseLoading, OutcomeNotice } from '../cases/Case.tsx'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { NoWrap } from '../cases/columns.tsx'
import { Decide } from '../cases/Decide.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import type { PartProps } from './InvestorPage.tsx'
import styles from './Investors.module.css'
import { MARKS, type Mark, withMark } from './markup.ts'

/** The current notification, earlier notifications and mails, and the form for a new notification. */
export function Notifications({ investor }: PartProps) {
  const id = investor._id
  const outreach = useResource(`notifications ${id}`, () => call(getReceivedMessages, { params: { id } }))
  const [sent, setSent] = useState(0)
  return (
    <div className="stack">
      <Panel title="Notification">
        {sent > 0 && (
          <OutcomeNotice
            key={sent}
            tone="success"
            text={`${isolate(investor.name)} sees the notification on the overview.`}
          />
        )}
        {outreach.state === 'ready' && <CurrentNotification {...outreach.data} />}
        {investor.closedAt === null && (
          <Decide
            key={sent}
            choices={[
              {
                key: 'w',
                label: 'Write a notification',
                scope: 'operator:investors.contact',
                variant: 'primary',
                panel: (onCancel) => (
                  <NotifyForm
                    investor={investor}
                    onCancel={onCancel}
                    onSent={() => {
                      setSent((count) => count + 1)
                      outreach.reload()
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Panel>
      {outreach.state === 'loading' && <CaseLoading what="notifications" />}
      {outreach.state === 'failed' && <LoadFailure msg={outreach.msg} onRetry={outreach.reload} />}
      {outreach.state === 'ready' && (
        <>
          <TablePanel
            title="Earlier notifications"
            caption="Earlier notifications"
            columns={SENT}
            rows={outreach.data.sent}
            rowKey={({ at }) => at}
            emptyText="None yet."
          >
            <p className="small soft">Only the text of the current notification is kept.</p>
          </TablePanel>
          <TablePanel
            title="Mails"
            columns={MAILS}
            rows={outreach.data.mails}
            rowKey={({ _id }) => _id}
            emptyText="None yet."
          >
            <p className="small soft">
              The newest 100 to the current e-mail address. Their texts are deleted once they are delivered.
            </p>
          </TablePanel>
        </>
      )}
    </div>
  )
}

function CurrentNotification({ notification }: Pick<ReceivedMessages, 'notification'>) {
  if (notification === null) return <p className="soft">None stands.</p>
  const { title, content, persistent, seen, at } = notification
  return (
    <>
      <Facts
        facts={[
          { label: 'Title', value: title },
          { label: 'Shown since', value: <DateTime at={at} /> },
          {
            label: 'Seen',
            value: seen ? 'Yes, dismissed' : persistent ? 'Shown on every visit' : 'Not dismissed yet',
          },
        ]}
      />
      <NotificationContent content={content} />
    </>
  )
}

const SENT: readonly Column<ReceivedMessages['sent'][number]>[] = [
  { key: 'at', header: 'When', cell: ({ at }) => <TableDate at={at} /> },
  { key: 'by', header: 'By', cell: ({ by }) => by },
  {
    key: 'how',
    header: 'How',
    cell: ({ persistent }) => <NoWrap>{persistent ? 'Each visit' : 'Once'}</NoWrap>,
  },
]

const MAILS: readonly Column<ReceivedMessages['mails'][number]>[] = [
  { key: 'subject', header: 'Subject', cell: ({ subject }) => subject },
  { key: 'at', header: 'Written', cell: ({ at }) => <TableDate at={at} /> },
  {
    key: 'delivered',
    header: 'Delivered',
    cell: ({ deliveredAt }) => (deliveredAt === null ? 'Not yet' : <TableDate at={deliveredAt} />),
  },
]

/** Writes a notification beside its preview. It replaces the current notification. */
function NotifyForm(props: {
  investor: OperatorInvestor
  onSent: () => void
  onCancel: (() => void) | undefined
}) {
  const { investor, onSent, onCancel } = props
  const form = useConfirmedForm({
    endpoint: notifyInvestor,
    params: { id: investor._id },
    draft: `notification ${investor._id}`,
    onDone: onSent,
  })
  const { watch, setValue } = form.form
  const title = String(watch('title') ?? '')
  const preview = usePreview(String(watch('content') ?? ''))
  const area = useRef<HTMLDivElement>(null)
  const insertMark = (mark: Mark) => {
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
      confirmLabel="Show the notification"
      summary={({ persistent }) => (
        <>
          <p>
            <bdi>{investor.name}</bdi> (<span translate="no">{investor.email}</span>) sees this{' '}
            <span>
              {isOn(persistent) ? 'on every visit until another one replaces it' : 'until they press Okay'}
            </span>
            . It replaces the current one.
          </p>
          <NotificationPreview title={title} preview={preview} />
        </>
      )}
      onCancel={onCancel}
    >
      <div className={styles.composer}>
        <div className="stack">
          <TextField label="Title" maxLength={200} autoComplete="off" {...form.field('title')} />
          <div ref={area} className="stack">
            <fieldset className={styles.marks}>
              <legend className="visually-hidden">Put into the content</legend>
              {(Object.keys(MARKS) as Mark[]).map((mark) => (
                <Button key={mark} size="small" onClick={() => insertMark(mark)}>
                  {mark}
                </Button>
              ))}
            </fieldset>
            <TextArea
              label="Content"
              rows={8}
              maxLength={16384}
              hint="Text or simple HTML: paragraphs, lists, emphasis, and links to our own pages. We remove everything else."
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

/** Preview for the operator: the content as sanitised by the server, in the components of the investor's page. */
function NotificationPreview({ title, preview }: { title: string; preview: Preview }) {
  const [isOpen, setOpen] = useState(false)
  const isOld = preview.state === 'loading' || (preview.state !== 'blank' && preview.isOld)
  const shownTitle = title.trim() || 'No title yet'
  return (
    <section className={styles.preview} aria-label="Preview" aria-busy={isOld || undefined}>
      <p className="small soft">What the investor sees</p>
      <div className={joinClasses(styles.paper, isOld && styles.old)}>
        <p className={styles.previewTitle}>{shownTitle}</p>
        {preview.state === 'blank' && <p className="soft">Nothing to show yet.</p>}
        {preview.state === 'loading' && <p className="soft">Loading the preview…</p>}
        {preview.state === 'refused' && <p className={styles.refused}>{preview.msg}</p>}
        {preview.state === 'ready' && (
          <div onClickCapture={handleLinkClick}>
            <NotificationContent content={preview.content} />
          </div>
        )}
      </div>
      {preview.state === 'ready' && (
        <div className="row">
          <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Preview in its dialog
          </Button>
          <span className="small soft number">{`${formatNumber(preview.bytes)} of 16,384 bytes`}</span>
          <NotificationWindow
            title={shownTitle}
            content={preview.content}
            open={isOpen}
            onClose={() => setOpen(false)}
          />
        </div>
      )}
    </section>
  )
}

// Following a link would discard the input.
function handleLinkClick(event: MouseEvent) {
  if (event.target instanceof Element && event.target.closest('a')) event.preventDefault()
}

const DEBOUNCE_MS = 400

type Answer = { state: 'ready'; content: string; bytes: number } | { state: 'refused'; msg: string }

/** `isOld`: a newer answer is loading. */
type Preview = { state: 'blank' } | { state: 'loading' } | (Answer & { isOld: boolean })

/** The content as the server would store it, requested shortly after the last key. */
function usePreview(content: string): Preview {
  const [last, setLast] = useState<{ typed: string; answer: Answer } | null>(null)
  const typed = content.trim()
  useEffect(() => {
    if (typed === '') return
    let isCurrent = true
    const take = (answer: Answer) => {
      if (isCurrent) setLast({ typed, answer })
    }
    const timer = setTimeout(() => {
      call(previewNotification, { body: { content: typed }, quiet: true }).then(
        (answer) => take({ state: 'ready', ...answer }),
        (error: unknown) => take({ state: 'refused', msg: describeFailure(error) }),
      )
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [typed])
  if (typed === '') return { state: 'blank' }
  return last === null ? { state: 'loading' } : { ...last.answer, isOld: last.typed !== typed }
}
