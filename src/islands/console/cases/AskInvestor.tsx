import type { Hold } from '../../../contract/console/cases.ts'
import { fillPlaceholders, findPlaceholder, splitTemplate } from '../../../contract/console/placeholders.ts'
import type { TemplateKind } from '../../../contract/console/settingList.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { getWorkKind, isAskingKind, type WorkKind } from '../../../contract/console/work.ts'
import { askInvestor } from '../../../contract/console/workItems.ts'
import { formatUsd } from '../../../contract/money.ts'
import { MESSAGE_LENGTH } from '../../../contract/outreach/contact.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { TextArea } from '../../../design/Field.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { toast } from '../../../design/toasts.ts'
import { ConfirmedForm, useConfirmedForm } from './ConfirmedForm.tsx'
import type { Choice } from './Decide.tsx'

interface AskProps {
  /** The open row. */
  row: { _id: string; ref?: string; amount?: number; investor?: { name: string } | null }
  /** Null while they load. */
  settings: Pick<Settings, 'templates'> | null
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
      panel: (onCancel) => <AskInvestor {...props} kind={kind} onCancel={onCancel} />,
    },
  ]
}

/** The list of question templates of each kind of work that has an investor to ask. */
const QUESTIONS: Partial<Record<WorkKind, TemplateKind>> = {
  deposit: 'depositQuestion',
  second_credit: 'depositQuestion',
  withdrawal: 'withdrawalQuestion',
  payout: 'withdrawalQuestion',
  kyc: 'identityQuestion',
  factor_recovery: 'identityQuestion',
}

/** The question templates that fit a case, filled in. */
function listQuestions(kind: WorkKind, { row, settings }: Pick<AskProps, 'row' | 'settings'>): string[] {
  const { ref, amount, investor } = row
  const words = {
    ...(ref !== undefined && { ref }),
    ...(amount !== undefined && { amount: formatUsd(amount) }),
    ...(investor && { name: investor.name }),
  }
  const list = QUESTIONS[kind]
  return ((list && settings?.templates[list]) ?? [])
    .map((text) => fillPlaceholders(text, words))
    .filter((text) => findPlaceholder(text) === undefined)
}

function AskInvestor(props: AskProps & { kind: WorkKind; onCancel: (() => void) | undefined }) {
  const { row, kind, onAsked, onOvertaken, onCancel } = props
  const id = row._id
  const questions = listQuestions(kind, props)
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
      {questions.length > 0 && (
        <SelectField
          label="Template"
          optional
          placeholder="Write one of my own"
          options={questions.map(splitTemplate).map(({ name, text }) => ({ value: text, label: name }))}
          onChange={({ target }) => target.value !== '' && form.form.setValue('text', target.value)}
        />
      )}
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
