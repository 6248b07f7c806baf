import type { Hold } from '../../../contract/console/cases.ts'
import { getWorkKind, isAskingKind, type WorkKind } from '../../../contract/console/work.ts'
import { askInvestor } from '../../../contract/console/workItems.ts'
import { MESSAGE_LENGTH } from '../../../contract/outreach/contact.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { TextArea } from '../../../design/Field.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { toast } from '../../../design/toasts.ts'
import { ConfirmedForm, useConfirmedForm } from './ConfirmedForm.tsx'
import type { Choice } from './Decide.tsx'

interface AskProps {
  id: string
  onAsked: (hold: Hold) => void
  onOvertaken: (msg: string) => void
}

/** The choice to ask the investor of a case; empty if the kind has no investor to ask, or they were asked and did not answer. */
export function listAskChoices(
  kind: WorkKind | undefined,
  hold: Hold | null | undefined,
  props: AskProps,
): readonly Choice[] {
  if (kind === undefined || !isAskingKind(kind) || (hold && hold.answeredAt === null)) return []
  return [
    {
      label: 'Ask the investor',
      key: 'q',
      scope: getWorkKind(kind).scope,
      panel: (onCancel) => <AskInvestor {...props} onCancel={onCancel} />,
    },
  ]
}

function AskInvestor(props: AskProps & { onCancel: (() => void) | undefined }) {
  const { id, onAsked, onOvertaken, onCancel } = props
  const form = useConfirmedForm({
    endpoint: askInvestor,
    params: { id },
    draft: `question ${id}`,
    onDone: ({ hold }) => {
      toast.success('Question sent. The case is on hold until the investor answers.')
      onAsked(hold)
    },
    onOvertaken,
    atOnce: ['text'],
  })
  return (
    <ConfirmedForm
      form={form}
      confirmLabel="Send the question"
      summary={() => (
        <p>
          The investor sees it in their messages and gets a mail. The case is on hold until they answer. You
          can still decide it.
        </p>
      )}
      onCancel={onCancel}
    >
      <TextArea
        label="Question"
        rows={5}
        maxLength={MESSAGE_LENGTH}
        hint="We add the greeting and the case’s reference. Links may lead to our own pages only."
        {...form.field('text')}
      />
    </ConfirmedForm>
  )
}

/** Since when a case waits for its investor, or that they wrote since. */
export function HoldNotice({ hold }: { hold: Hold }) {
  const conversation = (
    <a href={`/operator/messages?status=&open=${encodeURIComponent(hold.thread)}`}>See the conversation</a>
  )
  return hold.answeredAt === null ? (
    <Notice tone="caution" title="Waiting for the investor">
      <bdi>{hold.by}</bdi> <span>asked on</span> <DateTime at={hold.since} />. <span>{conversation}</span>
    </Notice>
  ) : (
    <Notice title="The investor wrote">
      <span>On</span> <DateTime at={hold.answeredAt} />, <span>after a question by</span> <bdi>{hold.by}</bdi>
      . <span>{conversation}</span>
    </Notice>
  )
}
