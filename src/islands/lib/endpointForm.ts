import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type BaseSyntheticEvent, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { FormProps } from '../../design/Form.tsx'
import { ApiFailure } from './ApiFailure.ts'
import { call } from './api.ts'
import type { FileField } from './fileField.ts'
import { type SubmissionKeys, submissionKeys } from './idempotency.ts'
import { placed } from './placed.ts'

export interface EndpointFormOptions<B extends z.ZodMiniType, A, S extends z.ZodMiniType> {
  endpoint: Endpoint<B, z.ZodMiniType<undefined>, A>
  /** What stands for `:id` in the endpoint's path. */
  params?: Readonly<Record<string, string>>
  /** What is checked before anything is sent: the endpoint's own body unless the form asks other things. */
  schema?: S
  /**
   * Only what is not blank at first. A field without one takes over what was typed into it before the script had
   * loaded.
   */
  defaultValues?: DefaultValues<FormValues<S>>
  /** From what was typed to what is sent, the same unless given. Values are as typed, not as the schema parses them. */
  bodyOf?: (values: z.input<S>) => z.input<B>
  /** A picture that has to be sent along. */
  file?: FileField
  /** After a success. The button stays busy until it has ended. */
  onDone: (answer: A, values: z.input<S>) => unknown
  /** Codes that the screen itself deals with, in `onFailure`: nothing more is said about them. */
  explained?: readonly string[]
  /** Told of every failure. */
  onFailure?: (failure: ApiFailure) => void
  /**
   * Where a failure that belongs to no field is said: in a toast, or in the form, for forms in a dialog, above which no
   * toast can be seen.
   */
  failures?: 'toast' | 'form'
}

export interface EndpointForm<S extends z.ZodMiniType> {
  /** For `<Form {...form.shell} submitLabel="…">`. */
  shell: Pick<FormProps, 'onSubmit' | 'pending' | 'formError'>
  /** For a field: `<TextField label="Email" {...form.field('email')} />`. */
  field: (name: keyof z.input<S> & string) => UseFormRegisterReturn & { error: string | undefined }
  /** All of react-hook-form, for what is out of the ordinary: `watch`, `setValue`, `setFocus`, `reset`. */
  form: UseFormReturn<FormValues<S>>
}

/** What a form of this schema holds, its fields as they are typed, in the form that react-hook-form asks for. */
type FormValues<S extends z.ZodMiniType> = z.input<S> & FieldValues

/**
 * A form that sends one endpoint: checked by the contract's schema, busy while it is sent, what was typed kept. What
 * the server has against a field stands beside that field; any other failure is said once, in a toast or in the form.
 * Where the endpoint honours an `Idempotency-Key`, a submission repeated after a lost connection carries the same one.
 */
export function useEndpointForm<B extends z.ZodMiniType, A, S extends z.ZodMiniType = B>(
  options: EndpointFormOptions<B, A, S>,
): EndpointForm<S> {
  const { endpoint, file, explained = [], failures = 'toast' } = options
  const keys = useRef<SubmissionKeys>(null)
  const [formError, setFormError] = useState<string | null>(null)
  const form = useForm<FormValues<S>>({
    resolver: resolverOf<S>(options.schema ?? endpoint.body),
    ...(options.defaultValues && { defaultValues: options.defaultValues }),
    // `design/Form` focuses the first field in error, a file among them.
    shouldFocusError: false,
  })

  const submit = async (values: FormValues<S>, event?: BaseSyntheticEvent) => {
    setFormError(null)
    const picture = file?.take()
    if (picture === null) return
    const body = options.bodyOf ? options.bodyOf(values) : (values as z.input<B>)
    const isShown = (name: string) => isControlOf(event?.target, name)
    const isExplained = (failure: ApiFailure) => explained.includes(failure.code)
    keys.current ??= submissionKeys()
    try {
      const answer = await call(endpoint, {
        params: options.params,
        body,
        ...(file && picture && { files: { [file.name]: picture }, onProgress: file.progress }),
        ...(endpoint.idempotent && {
          idempotencyKey: keys.current.keyFor(contentOf(options.params, body, picture)),
        }),
        quiet: (failure) =>
          failures === 'form' || isExplained(failure) || placed(failure, isShown).length > 0,
      })
      keys.current.settle(null)
      await options.onDone(answer, values)
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      keys.current.settle(failure)
      const beside = placed(failure, isShown)
      for (const [name, message] of beside) {
        if (name === file?.name) file.refuse(message)
        else form.setError(pathOf<S>(name), { type: 'server', message })
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
      pending: form.formState.isSubmitting,
      formError,
    },
    field: (name) => {
      const path = pathOf<S>(name)
      return { ...form.register(path), error: form.getFieldState(path, form.formState).error?.message }
    },
    form,
  }
}

/** Checks by the schema and hands on what was typed: the server parses it itself, by the same schema. */
function resolverOf<S extends z.ZodMiniType>(
  schema: z.ZodMiniType | undefined,
): Resolver<FormValues<S>> | undefined {
  if (schema === undefined) return undefined
  const checks = schema as z.ZodMiniType<FieldValues, FormValues<S>>
  return standardSchemaResolver<FormValues<S>, unknown, FieldValues>(checks, undefined, { raw: true })
}

/** A field's name in react-hook-form's terms: the contract's bodies are flat, so each key is a path. */
function pathOf<S extends z.ZodMiniType>(name: string): FieldPath<FormValues<S>> {
  return name as FieldPath<FormValues<S>>
}

function isControlOf(form: unknown, name: string): boolean {
  return form instanceof HTMLFormElement && form.elements.namedItem(name) !== null
}

/** What makes two submissions the same one. The code of a step-up does not, as on the server. */
function contentOf(params: unknown, body: unknown, picture: File | undefined): string {
  const fields = typeof body === 'object' ? { ...body, code: undefined } : body
  return JSON.stringify([params, fields, picture && [picture.name, picture.size, picture.lastModified]])
}
