import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { toldBody, UNLISTED_REASON } from '../../../contract/console/cases.ts'
import { type CaseWords, fillPlaceholders, findPlaceholder } from '../../../contract/console/placeholders.ts'
import type { Proposal } from '../../../contract/console/proposals.ts'
import { type Risk, riskReasonField } from '../../../contract/console/risk.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { OperatorScope } from '../../../contract/roles.ts'
import { TextArea } from '../../../design/Field.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import type { OutcomeWords } from './Case.tsx'
import { ConfirmedForm, type ConfirmedFormProps, useConfirmedForm } from './ConfirmedForm.tsx'
import { withFactor } from './factor.tsx'
import { InternalNoteField } from './InternalNoteField.tsx'
import type { QueueDecision } from './queueKind.ts'
import { RISK_REASON_REFUSED, RiskReasonField } from './RiskReasonField.tsx'

export interface ReasonFormProps<B extends z.ZodMiniType, A> {
  row: { _id: string }
  endpoint: Endpoint<B, z.ZodMiniType<undefined>, A>
  /** Sent along with the reason. */
  body?: Readonly<Record<string, string | boolean | number>>
  label?: string
  /** Who reads the reason, and its expected content. */
  hint?: string
  /** Who is told the reason. They read only one from the settings' list; an internal note is for operators. */
  told?: ToldReader
  /** Offers the reasons of this kind from the settings, which are null while they load. */
  kind?: ReasonPickProps['kind']
  settings?: ReasonPickProps['settings']
  /** The words of the case for the placeholders of listed reasons. */
  words?: CaseWords
  /** Filled in at first: the reason of the operator who proposed it. */
  firstReason?: string | undefined
  consequence: ReactNode
  /** Shown under the field and in the summary. */
  note?: ReactNode
  /** Of a case whose decision takes a reason at a high risk. */
  risk?: Risk | undefined
  confirmLabel: string
  variant?: NonNullable<ConfirmedFormProps<typeof toldBody>['variant']>
  /** The action that the second factor confirms, in words, if the endpoint requires one. */
  what?: string
  /** One step: the consequence stands below the reason. */
  atOnce?: boolean
  onDecided: (answer: A) => void
  onOvertaken: (msg: string) => void
  onCancel: (() => void) | undefined
}

type ToldReader = 'the investor' | 'the investors'

/**
 * A decision with a reason. The operator picks the reason from the settings or writes it, then confirms. A reason that investors read
 * can only be picked.
 */
export function ReasonForm<B extends z.ZodMiniType, A>(props: ReasonFormProps<B, A>) {
  const {
    row,
    endpoint,
    body,
    settings = null,
    firstReason,
    kind,
    told,
    words = {},
    consequence,
    what,
  } = props
  const { label = told === undefined ? 'Reason' : `Message to ${told}` } = props
  const form = useConfirmedForm({
    endpoint,
    schema: REASONS,
    beside: RISK_REASON_REFUSED,
    ...(firstReason !== undefined && { defaultValues: { reason: firstReason } }),
    params: { id: row._id },
    bodyOf: (values) => ({ ...body, ...values }) as z.input<B>,
    ...(what !== undefined && { send: withFactor(endpoint, what) }),
    onDone: props.onDecided,
    onOvertaken: props.onOvertaken,
    ...(props.atOnce && { atOnce: ['reason', 'internalNote'] }),
  })
  const listed = [...listReasons(settings, kind, words), UNLISTED_REASON]
  const reasons = firstReason === undefined ? listed : [...new Set([firstReason, ...listed])]
  return (
    <ConfirmedForm
      form={form}
      confirmLabel={props.confirmLabel}
      variant={props.variant ?? 'danger'}
      summary={({ reason, internalNote, riskReason }) => (
        <>
          {typeof consequence === 'string' ? <p>{consequence}</p> : consequence}
          {!props.atOnce && (
            <>
              <p>
                <span className="soft">{label}: </span>
                {reason.trim()}
              </p>
              {told && internalNote && (
                <p>
                  <span className="soft">Internal note: </span>
                  {internalNote.trim()}
                </p>
              )}
              {riskReason && (
                <p>
                  <span className="soft">Despite the high risk: </span>
                  {riskReason.trim()}
                </p>
              )}
              {props.note}
            </>
          )}
        </>
      )}
      onCancel={props.onCancel}
    >
      {told === undefined ? (
        <>
          {kind && (
            <ReasonPick
              settings={settings}
              kind={kind}
              onPick={(reason) => form.form.setValue('reason', reason)}
            />
          )}
          <TextArea label={label} rows={3} maxLength={500} hint={props.hint} {...form.field('reason')} />
        </>
      ) : (
        <>
          <SelectField
            label={label}
            placeholder="Choose what they read"
            hint={props.hint}
            options={reasons.map((reason) => ({ value: reason, label: reason }))}
            {...form.field('reason')}
          />
          <InternalNoteField
            hint={told === 'the investor' ? undefined : 'Only operators read it, in this case.'}
            {...form.field('internalNote')}
          />
        </>
      )}
      <RiskReasonField risk={props.risk} {...form.field('riskReason')} />
      {props.note}
    </ConfirmedForm>
  )
}

const REASONS = z.extend(toldBody, { riskReason: riskReasonField })

/** The listed reasons that apply to the case: it has everything that they name. */
function listReasons(
  settings: ReasonPickProps['settings'],
  kind: ReasonPickProps['kind'] | undefined,
  words: CaseWords,
): string[] {
  return ((kind && settings?.reasons[kind]) ?? [])
    .map((reason) => fillPlaceholders(reason, words))
    .filter((reason) => findPlaceholder(reason) === undefined)
}

/** The queue decision that rejects a row with a reason. */
export function rejectIt<Row extends { _id: string }, B extends z.ZodMiniType = typeof toldBody>(
  scope: OperatorScope,
  label: string,
  form: Omit<ReasonFormProps<B, Row>, 'row' | 'settings' | `on${string}`>,
): QueueDecision<Row> {
  return {
    label,
    key: 'r',
    scope,
    panel: (props) => <ReasonForm {...props} {...form} atOnce />,
  }
}

/** The queue decision that proposes an act to another operator. `said` tells what happens until they decide. */
export function proposeIt<Row extends { _id: string }, B extends z.ZodMiniType>(
  choice: Omit<QueueDecision<Row>, 'panel'>,
  said: string,
  form: Omit<ReasonFormProps<B, Proposal>, 'row' | 'settings' | `on${string}`>,
): QueueDecision<Row> {
  return {
    ...choice,
    panel: ({ onDone, ...props }) => (
      <ReasonForm
        {...props}
        variant="primary"
        {...form}
        onDecided={(proposal) => onDone(describeProposed(proposal, said))}
      />
    ),
  }
}

/** The outcome of a proposal, with the way to it. */
export function describeProposed({ _id }: Pick<Proposal, '_id'>, said: string): OutcomeWords {
  return {
    tone: 'success',
    title: 'Proposed',
    text: (
      <span>
        <span>{said}</span> <a href={`/operator/proposals?open=${_id}`}>See the proposal</a>
      </span>
    ),
  }
}

interface ReasonPickProps {
  /** Null while they load. */
  settings: Pick<Settings, 'reasons'> | null
  kind: keyof Settings['reasons']
  onPick: (reason: string) => void
}

/** Offers the reasons from the settings, to use unchanged or to edit. */
export function ReasonPick({ settings, kind, onPick }: ReasonPickProps) {
  const reasons = settings?.reasons[kind] ?? []
  if (reasons.length === 0) return null
  return (
    <SelectField
      label="Take a reason from the list"
      optional
      placeholder="Write one of my own"
      options={reasons.map((reason) => ({ value: reason, label: reason }))}
      onChange={(event) => onPick(event.target.value)}
    />
  )
}
