import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { FormProps } from '../../design/Form.tsx'
import { ApiFailure } from './ApiFailure.ts'
import { type CallOptions, call } from './api.ts'
import { type Draft, type DraftValues, draftOf, draftOwner, dropDraft, keepDraft } from './drafts.ts'
import type { FileField } from './fileField.ts'
import { type FieldAttributes, type FormState, type InitialValues, useForm } from './form.ts'
import { type SubmissionKeys, submissionKeys } from './idempotency.ts'

export interface EndpointFormOptions<B extends z.ZodMiniType, A, S extends z.ZodMiniType> {
  endpoint: Endpoint<B, z.ZodMiniType<undefined>, A>
  /** What stands for `:id` in the endpoint's path. */
  params?: Readonly<Record<string, string>>
  /** What is checked before anything is sent: the endpoint's own body unless the form asks other things. */
  schema?: S
  defaultValues?: InitialValues<S>
  /** The field that has the focus at first, in a dialog. */
  focus?: keyof z.input<S> & string
  /** From what was typed to what is sent, the same unless given. Values are as typed, not as the schema parses them. */
  bodyOf?: (values: z.input<S>) => z.input<B>
  /** A picture that has to be sent along. */
  file?: FileField
  /**
   * The name under which this tab keeps what was typed until it was sent: over a lost connection, a reload, a session that
   * ended. Not for a form that asks for a password.
   */
  draft?: string
  /** What of a draft still fits, where the choices may be others by now. */
  fitDraft?: (values: DraftValues) => DraftValues
  /** Sends it in another way than as it is: encrypted. */
  send?: (content: CallOptions<B, z.ZodMiniType<undefined>>) => Promise<A>
  /** After a success. The button stays busy until it has ended. */
  onDone: (answer: A, values: z.input<S>) => unknown
  /** Codes of refusals, each with the field beside which its message is shown. */
  beside?: Readonly<Record<string, keyof z.input<S> & string>>
  /** Codes of refusals that the screen itself handles in `onFailure`: no message is shown for them. */
  explained?: readonly string[]
  /** Receives every failure. */
  onFailure?: (failure: ApiFailure) => void
  /**
   * Where a failure that belongs to no field is said: in a toast, or in the form, for forms in a dialog, above which no
   * toast can be seen.
   */
  failures?: 'toast' | 'form'
}

export interface EndpointForm<S extends z.ZodMiniType> {
  /** For `<Form {...form.shell} submitLabel="…">`. */
  shell: Pick<FormProps, 'onSubmit' | 'pending' | 'formError' | 'restored'>
  /** For a field: `<TextField label="Email" {...form.field('email')} />`. */
  field: (name: keyof z.input<S> & string) => FieldAttributes
  /** For what is out of the ordinary: `watch`, `setValue`, `setFocus`, `reset`. */
  form: FormState<S>
}

/**
 * A form that sends one endpoint: checked by the contract's schema, busy while it is sent, what was typed kept. What
 * the server has against a field stands beside that field; any other failure is said once, in a toast or in the form.
 * Where the endpoint honours an `Idempotency-Key`, a submission repeated after a lost connection carries the same one.
 */
export function useEndpointForm<B extends z.ZodMiniType, A, S extends z.ZodMiniType = B>(
  options: EndpointFormOptions<B, A, S>,
): EndpointForm<S> {
  const { endpoint, file, draft, explained = [], failures = 'toast' } = options
  const keys = useRef<SubmissionKeys>(null)
  const [formError, setFormError] = useState<string | null>(null)
  const [whose] = useState(draftOwner)
  const keep = (part: Partial<Draft>) => {
    if (draft !== undefined) keepDraft(draft, part, whose)
  }
  const form = useForm<S>(options.schema ?? endpoint.body, options.defaultValues, (values) =>
    keep({ values }),
  )
  const restored = useRestoredDraft(options, form)
  const focusFirst = useEffectEvent(() => options.focus !== undefined && form.setFocus(options.focus))
  useEffect(() => void focusFirst(), [])

  const submit = async (values: z.input<S>) => {
    setFormError(null)
    const picture = file?.take()
    if (picture === null) return
    const body = options.bodyOf ? options.bodyOf(values) : sameBody<B>(values)
    const fieldErrors = (failure: ApiFailure) => [
      ...fieldErrorsOf(failure, (name) => name === file?.name || form.knows(name)),
      ...Object.entries(options.beside ?? {}).flatMap(([code, name]) =>
        code === failure.code ? [[name, failure.msg] as const] : [],
      ),
    ]
    const isExplained = (failure: ApiFailure) => explained.includes(failure.code)
    // What is encrypted anew is never the same content again.
    keys.current ??= submissionKeys(
      draft === undefined ? undefined : draftOf(draft, whose)?.open,
      (open) => options.send ?? keep({ open }),
    )
    // Said at once: the browser's first word of it may take a while on a slow line.
    if (picture) file?.progress(0)
    try {
      const content: CallOptions<B, z.ZodMiniType<undefined>> = {
        params: options.params,
        body,
        ...(file && picture && { files: { [file.name]: picture }, onProgress: file.progress }),
        ...(endpoint.idempotent && {
          idempotencyKey: keys.current.keyFor(contentOf(options.params, body, picture)),
        }),
        quiet: (failure) => failures === 'form' || isExplained(failure) || fieldErrors(failure).length > 0,
      }
      const answer = await (options.send ? options.send(content) : call(endpoint, content))
      keys.current.settle(null)
      await options.onDone(answer, values)
      if (draft !== undefined) dropDraft(draft, whose)
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      keys.current.settle(failure)
      const beside = fieldErrors(failure)
      for (const [name, message] of beside) {
        if (name === file?.name) file.refuse(message)
        else form.setError(name, { message })
      }
      if (failures === 'form' && beside.length === 0 && !isExplained(failure)) setFormError(failure.msg)
      options.onFailure?.(failure)
    } finally {
      file?.release()
    }
  }

  return {
    shell: {
      // A missing picture is said together with what else is missing.
      onSubmit: form.handleSubmit(submit, () => void file?.take()),
      pending: form.pending,
      formError,
      restored,
    },
    field: form.field,
    form,
  }
}

/** Without `bodyOf`, a form asks for just what its endpoint takes. */
function sameBody<B extends z.ZodMiniType>(values: unknown): z.input<B> {
  return values as z.input<B>
}

/**
 * What makes two submissions the same one. The proof of a step-up does not, as on the server, nor when a picture was last
 * changed, which a camera's app says anew each time that it is chosen. The server compares what is in it.
 */
function contentOf(params: unknown, body: unknown, picture: File | undefined): string {
  const fields = typeof body === 'object' ? { ...body, code: undefined, passkey: undefined } : body
  return JSON.stringify([params, fields, picture && [picture.name, picture.size]])
}

/** Of the sentences that a failure has for fields, those whose field is one of the form's. */
export function fieldErrorsOf(
  failure: ApiFailure,
  isOurs: (name: string) => boolean,
): [name: string, msg: string][] {
  return Object.entries(failure.fields ?? {}).filter(([name]) => isOurs(name))
}

interface TakingUp {
  draft?: string
  fitDraft?: (values: DraftValues) => DraftValues
  file?: FileField
}

/** Fills in what was typed before the page was left, says so above the fields, and offers to begin anew instead. */
function useRestoredDraft(
  { draft, fitDraft = (values) => values, file }: TakingUp,
  form: { fill: (values: DraftValues) => boolean; reset: () => void },
): FormProps['restored'] {
  const [words, setWords] = useState<string | null>(null)
  const takeUp = useEffectEvent(() => {
    const kept = draft === undefined ? undefined : draftOf(draft)
    if (kept === undefined) return
    const isFilled = form.fill(fitDraft(kept.values))
    if (isFilled) file?.askAgain()
    if (kept.open) setWords(MAYBE_SENT)
    else if (isFilled) setWords(BACK)
  })
  // Before anything is painted, so that nothing moves; not while it is drawn, since the page was built without.
  useLayoutEffect(() => takeUp(), [])
  if (draft === undefined || words === null) return null
  return {
    words,
    onDrop: () => {
      dropDraft(draft)
      form.reset()
      file?.empty()
      setWords(null)
    },
  }
}

const BACK = 'What you typed here before is back. This tab kept it until you send it or log out.'
const MAYBE_SENT =
  'What you typed here before is back. No answer came when you sent it: look into your history, or send it again unchanged, which never does it twice.'
