import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { FormProps } from '../../design/Form.tsx'
import { ApiFailure, NEVER_TWICE } from './ApiFailure.ts'
import { type CallOptions, call } from './api.ts'
import { type Draft, type DraftValues, deleteDraft, findDraft, getDraftOwner, saveDraft } from './drafts.ts'
import type { FileField } from './fileField.ts'
import { type FieldAttributes, type FormState, type InitialValues, useForm } from './form.ts'
import { createSubmissionKeys, type SubmissionKeys } from './idempotency.ts'

export interface EndpointFormOptions<B extends z.ZodMiniType, A, S extends z.ZodMiniType> {
  endpoint: Endpoint<B, z.ZodMiniType<undefined>, A>
  /** Fills in `:id` in the endpoint's path. */
  params?: Readonly<Record<string, string>>
  /** Validates the input. Defaults to the endpoint's body schema. */
  schema?: S
  defaultValues?: InitialValues<S>
  /** In a dialog: the field to focus first. */
  focus?: keyof z.input<S> & string
  /** Builds the body from the input as typed, not as parsed by the schema. Defaults to the input itself. */
  bodyOf?: (values: z.input<S>) => z.input<B>
  /** A picture. It is required, unless `needsFile` says otherwise when the form is sent. */
  file?: FileField
  needsFile?: () => boolean
  /**
   * Stores the input in this tab under this name until it is sent, across reloads and sessions. Not for forms with a
   * password.
   */
  draft?: string
  /** Replaces `call`, for example to encrypt the content first. */
  send?: (content: CallOptions<B, z.ZodMiniType<undefined>>) => Promise<A>
  /** Runs after a success. The button stays busy until it resolves. */
  onDone: (answer: A, values: z.input<S>) => unknown
  /** Error codes whose message is shown beside a field. */
  beside?: Readonly<Record<string, keyof z.input<S> & string>>
  /** Error codes that the screen handles in `onFailure`: the form shows no message for them. */
  explained?: readonly string[]
  /** Receives every failure. */
  onFailure?: (failure: ApiFailure) => void
  /**
   * Where to show a failure that belongs to no field. Forms in dialogs use `form`, near the button.
   */
  failures?: 'toast' | 'form'
}

export interface EndpointForm<S extends z.ZodMiniType> {
  /** For `<Form {...form.shell} submitLabel="…">`. */
  shell: Pick<FormProps, 'onSubmit' | 'pending' | 'formError' | 'restored' | 'keepsDraft'>
  /** For a field: `<TextField label="Email" {...form.field('email')} />`. */
  field: (name: keyof z.input<S> & string) => FieldAttributes
  /** For special cases: `watch`, `setValue`, `setFocus`, `reset`. */
  form: FormState<S>
}

/**
 * A form that calls one endpoint. It validates by the contract's schema, is busy while sending, and keeps the input after
 * a failure. It shows the server's field errors beside their fields and any other failure once, as a toast or in the form.
 * For idempotent endpoints, a submission repeated after a broken connection reuses its `Idempotency-Key`.
 */
export function useEndpointForm<B extends z.ZodMiniType, A, S extends z.ZodMiniType = B>(
  options: EndpointFormOptions<B, A, S>,
): EndpointForm<S> {
  const { endpoint, file, needsFile = () => true, draft, explained = [], failures = 'toast' } = options
  const keys = useRef<SubmissionKeys>(null)
  const [formError, setFormError] = useState<string | null>(null)
  const [owner] = useState(getDraftOwner)
  const saveDraftPart = (part: Partial<Draft>) => {
    if (draft !== undefined) saveDraft(draft, part, owner)
  }
  const form = useForm<S>(options.schema ?? endpoint.body, options.defaultValues, (values) =>
    saveDraftPart({ values }),
  )
  const restored = useRestoredDraft(options, form)
  const focusFirst = useEffectEvent(() => options.focus !== undefined && form.setFocus(options.focus))
  useEffect(() => void focusFirst(), [])

  const submit = async (values: z.input<S>) => {
    setFormError(null)
    const picture = needsFile() ? await file?.take() : undefined
    if (picture === null) return
    // Without `bodyOf`, the form's fields are those of the endpoint's body.
    const body = options.bodyOf ? options.bodyOf(values) : (values as unknown as z.input<B>)
    const listFieldErrors = (failure: ApiFailure) => [
      ...filterFieldErrors(failure, (name) => name === file?.name || form.has(name)),
      ...Object.entries(options.beside ?? {}).flatMap(([code, name]) =>
        code === failure.code ? [[name, failure.msg] as const] : [],
      ),
    ]
    const isHandled = (failure: ApiFailure) => explained.includes(failure.code)
    // With `send`, content differs each time (encryption), so an open submission is not stored.
    keys.current ??= createSubmissionKeys(
      draft === undefined ? undefined : findDraft(draft, owner)?.open,
      (open) => options.send ?? saveDraftPart({ open }),
    )
    // Shown at once: on a slow line, the browser's first progress event may take a while.
    if (picture) file?.progress(0)
    try {
      const content: CallOptions<B, z.ZodMiniType<undefined>> = {
        params: options.params,
        body,
        ...(file && picture && { files: { [file.name]: picture }, onProgress: file.progress }),
        ...(endpoint.idempotent && {
          idempotencyKey: keys.current.keyFor(serializeContent(options.params, body, picture)),
        }),
        quiet: (failure) => failures === 'form' || isHandled(failure) || listFieldErrors(failure).length > 0,
      }
      const answer = await (options.send ? options.send(content) : call(endpoint, content))
      keys.current.settle(null)
      await options.onDone(answer, values)
      if (draft !== undefined) deleteDraft(draft, owner)
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      keys.current.settle(failure)
      const beside = listFieldErrors(failure)
      for (const [name, message] of beside) {
        if (name === file?.name) file.refuse(message)
        else form.setError(name, { message })
      }
      if (failures === 'form' && beside.length === 0 && !isHandled(failure)) setFormError(failure.msg)
      options.onFailure?.(failure)
    } finally {
      file?.release()
    }
  }

  return {
    shell: {
      // Reports a missing picture together with the other errors.
      onSubmit: form.handleSubmit(submit, () => void (needsFile() && file?.take())),
      pending: form.pending,
      formError,
      restored,
      keepsDraft: draft !== undefined,
    },
    field: form.field,
    form,
  }
}

/**
 * Identifies a submission, to recognise a repeated one. Leaves out the step-up proof, as the server does, and the
 * picture's modification date, which camera apps change each time. The server compares the picture's content.
 */
function serializeContent(params: unknown, body: unknown, picture: File | undefined): string {
  const fields = typeof body === 'object' ? { ...body, code: undefined, passkey: undefined } : body
  return JSON.stringify([params, fields, picture && [picture.name, picture.size]])
}

/** The field errors of a failure that belong to fields of this form. */
export function filterFieldErrors(
  failure: ApiFailure,
  isOwnField: (name: string) => boolean,
): [name: string, msg: string][] {
  return Object.entries(failure.fields ?? {}).filter(([name]) => isOwnField(name))
}

/** Restores a draft, says so above the fields, and offers to discard it. */
function useRestoredDraft(
  { draft, file }: { draft?: string; file?: FileField },
  form: { fill: (values: DraftValues) => boolean; reset: () => void },
): FormProps['restored'] {
  const [words, setWords] = useState<string | null>(null)
  const restore = useEffectEvent(() => {
    const kept = draft === undefined ? undefined : findDraft(draft)
    if (kept === undefined) return
    const isFilled = form.fill(kept.values)
    if (isFilled) file?.askAgain()
    if (!isFilled && !kept.open) return
    const minutes = Math.ceil((Date.now() - kept.atMs) / 60_000)
    setWords(`We restored what you typed here. Saved ${minutes} min ago.${kept.open ? MAYBE_SENT : ''}`)
  })
  // Before the first paint, so that the page does not move; not during rendering, because the built page has no draft.
  useLayoutEffect(() => restore(), [])
  if (draft === undefined || words === null) return null
  return {
    words,
    onDrop: () => {
      deleteDraft(draft)
      form.reset()
      file?.empty()
      setWords(null)
    },
  }
}

const MAYBE_SENT = ` You sent it, but got no answer.${NEVER_TWICE}`
