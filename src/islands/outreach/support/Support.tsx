import { useRef, useState } from 'react'
import { MESSAGE_LENGTH } from '../../../contract/outreach/contact.ts'
import {
  listOwnThreads,
  type OwnThread,
  writeAgain,
  writeToSupport,
} from '../../../contract/outreach/threads.ts'
import { Button } from '../../../design/Button.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { TextArea } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Loading } from '../../../design/Loading.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { usePages } from '../../lib/pages.ts'
import { Conversation } from './Conversation.tsx'
import styles from './Support.module.css'
import { renderThreadStatus } from './threadStatus.tsx'

/** /dashboard/support: a form, and the investor's threads with the replies. */
export const Support = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  const threads = usePages(listOwnThreads, {})
  const [again, setAgain] = useState<OwnThread | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const top = useRef<HTMLDivElement>(null)
  const writeIn = (thread: OwnThread | null) => {
    setSent(null)
    setAgain(thread)
    top.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div className={styles.support}>
      <div ref={top} className={styles.form}>
        <Panel title={again === null ? 'Write to support' : `Write again in ${again.ref}`}>
          {sent !== null && (
            <Notice tone="success" live title={sent}>
              The answer also shows here.
            </Notice>
          )}
          <WriteForm
            key={again?._id ?? ''}
            thread={again}
            onSent={(msg) => {
              writeIn(null)
              setSent(msg)
              threads.reload()
            }}
            onCancel={() => writeIn(null)}
          />
        </Panel>
      </div>
      <section className="stack" aria-label="Your messages">
        {threads.data.state === 'loading' && <Loading label="Loading your messages" />}
        {threads.data.state === 'failed' && <LoadFailure msg={threads.data.msg} onRetry={threads.reload} />}
        {threads.data.state === 'ready' && threads.data.rows.length === 0 && (
          <EmptyState title="No messages yet">What you write here and our answers show here.</EmptyState>
        )}
        {threads.data.state === 'ready' &&
          threads.data.rows.map((thread) => (
            <Thread key={thread._id} thread={thread} onAgain={() => writeIn(thread)} />
          ))}
        <Pagination hasMore={threads.hasMore} pending={threads.pending} onMore={threads.onMore} />
      </section>
    </div>
  )
}

interface WriteFormProps {
  /** The thread to write in; null for a new one. */
  thread: OwnThread | null
  onSent: (msg: string) => void
  onCancel: () => void
}

function WriteForm({ thread, onSent, onCancel }: WriteFormProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: thread === null ? writeToSupport : writeAgain,
    params: thread === null ? {} : { id: thread._id },
    draft: thread === null ? 'support' : `support ${thread._id}`,
    failures: 'form',
    ...(thread !== null && { focus: 'message' as const }),
    onDone: ({ msg }) => {
      form.reset()
      onSent(msg)
    },
  })
  return (
    <Form
      {...shell}
      submitLabel="Send message"
      label="Write to support"
      actions={
        thread !== null && (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )
      }
    >
      <TextArea
        label="Message"
        rows={6}
        maxLength={MESSAGE_LENGTH}
        hint="If it is about a deposit or withdrawal, give its reference. Never send a password or a code."
        {...field('message')}
      />
    </Form>
  )
}

function Thread({ thread, onAgain }: { thread: OwnThread; onAgain: () => void }) {
  const { ref, status, entries } = thread
  return (
    <article className={styles.thread} aria-label={ref}>
      <header className={styles.head}>
        <h2 translate="no">{ref}</h2>
        {renderThreadStatus(status)}
        <Button size="small" aria-label={`Write again in ${ref}`} onClick={onAgain}>
          Write again
        </Button>
      </header>
      <Conversation
        label={ref}
        entries={entries.map(({ at, from, text }) => ({
          at,
          who: from === 'you' ? 'You' : 'Support',
          isReply: from === 'support',
          text,
        }))}
      />
    </article>
  )
}
