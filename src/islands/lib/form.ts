import { type ChangeEvent, type SubmitEvent, useReducer, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type Control, type FieldValue, type FormControls, formControls } from './formControls.ts'

/** To spread on a field. */
export interface FieldAttributes {
  name: string
  ref: (control: Control | null) => (() => void) | undefined
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => void
  error: string | undefined
}

/** What is not blank at first. Any other field takes over what was typed into it before the script had loaded. */
export type InitialValues<S extends z.ZodMiniType> = Readonly<Partial<Record<Name<S>, FieldValue>>>

type Name<S extends z.ZodMiniType> = keyof z.input<S> & string

/**
 * A form's fields. Values are as typed; a field that was never shown nor set has none. The names are those of
 * react-hook-form, whose work this does a small part of.
 */
export interface FormState<S extends z.ZodMiniType> {
  field: (name: Name<S>) => FieldAttributes
  /** The submit handler that goes on with what was typed, if the schema has nothing against it. */
  handleSubmit: (
    run: (values: z.input<S>) => unknown,
    onRefused?: () => void,
  ) => (event: SubmitEvent<HTMLFormElement>) => void
  /** From the submission until what it runs has ended. */
  pending: boolean
  /** What a field holds, drawn anew when that changes. */
  watch: (name: Name<S>) => FieldValue
  getValues: (name: Name<S>) => FieldValue
  setValue: (name: Name<S>, value: FieldValue) => void
  /** What the server has against a field; it stands until the field is changed. */
  setError: (name: string, error: { message: string }) => void
  clearErrors: (name: Name<S>) => void
  /** Puts these into the fields that hold nothing but their first value; answers whether there were any. */
  fill: (values: Readonly<Record<string, FieldValue>>) => boolean
  /** Says at once what the schema has against a field. */
  trigger: (name: Name<S>) => void
  setFocus: (name: Name<S>) => void
  /** Whether the form has shown such a field. */
  knows: (name: string) => boolean
  /** Back to the first values, without errors. */
  reset: () => void
}

/**
 * The state of a form whose fields keep what is typed themselves: the page is only drawn anew when errors, or fields
 * that are watched, change. Checked on submit; what was in error is checked again while it is corrected. `onChanged` is
 * given all that is typed, whenever it changes.
 */
export function useForm<S extends z.ZodMiniType>(
  schema: z.ZodMiniType | undefined,
  initial?: InitialValues<S>,
  onChanged?: (values: Readonly<Record<string, FieldValue>>) => void,
): FormState<S> {
  const [errors, setErrors] = useState<FormErrors>({})
  const [isPending, setPending] = useState(false)
  const [, drawAnew] = useReducer((count: number) => count + 1, 0)
  const kept = useRef<{
    controls: FormControls
    watched: Set<string>
    refs: Map<string, FieldAttributes['ref']>
  }>(null)
  kept.current ??= { controls: formControls(initial), watched: new Set(), refs: new Map() }
  const { controls, watched, refs } = kept.current

  const changed = (name: string) => {
    onChanged?.(controls.values())
    if (watched.has(name)) drawAnew()
    setErrors((before) =>
      Object.keys(before).length === 0
        ? before
        : errorsAfterChange(before, errorsOf(schema, controls.values()), name),
    )
  }
  const refOf = (name: string): FieldAttributes['ref'] => {
    const ref = (control: Control | null) => {
      if (control === null) return undefined
      const before = controls.get(name)
      controls.attach(name, control)
      if (watched.has(name) && controls.get(name) !== before) drawAnew()
      return () => controls.detach(name, control)
    }
    // The same one each time, or React would take the control out and in again with every drawing.
    refs.set(name, refs.get(name) ?? ref)
    return refs.get(name) ?? ref
  }
  const submit = async (run: (values: z.input<S>) => unknown, onRefused?: () => void) => {
    setPending(true)
    // Drawn as pending before anything else, so that the end of it is seen even where nothing is waited for.
    await Promise.resolve()
    try {
      const values = controls.values()
      const found = errorsOf(schema, values)
      setErrors(found)
      if (Object.keys(found).length > 0) onRefused?.()
      else await run(values as z.input<S>)
    } finally {
      setPending(false)
    }
  }
  return {
    field: (name) => ({
      name,
      ref: refOf(name),
      onChange: () => changed(name),
      error: errors[name]?.msg,
    }),
    handleSubmit: (run, onRefused) => (event) => {
      event.preventDefault()
      void submit(run, onRefused)
    },
    pending: isPending,
    watch: (name) => {
      watched.add(name)
      return controls.get(name)
    },
    getValues: controls.get,
    setValue: (name, value) => {
      controls.set(name, value)
      changed(name)
    },
    setError: (name, { message }) =>
      setErrors((before) => ({ ...before, [name]: { msg: message, server: true } })),
    clearErrors: (name) => setErrors(({ [name]: _, ...others }) => others),
    fill: (values) => {
      const missing = Object.entries(values).filter(([name, value]) => {
        const now = controls.get(name)
        return value !== now && (value || now) && (!now || now === initial?.[name as Name<S>])
      })
      for (const [name, value] of missing) {
        controls.set(name, value)
        changed(name)
      }
      return missing.length > 0
    },
    trigger: (name) =>
      setErrors(({ [name]: _, ...others }) => {
        const error = errorsOf(schema, controls.values())[name]
        return error ? { ...others, [name]: error } : others
      }),
    setFocus: controls.focus,
    knows: controls.knows,
    reset: () => {
      controls.reset()
      setErrors({})
      drawAnew()
    },
  }
}

/** By name of the field, what is wrong with it; `server` says that the schema doesn't know about it. */
type FormErrors = Readonly<Record<string, { msg: string; server?: true }>>

/** What the schema has against these values: the first sentence for each field. */
export function errorsOf(schema: z.ZodMiniType | undefined, values: unknown): FormErrors {
  const result = schema && z.safeParse(schema, values)
  const errors: Record<string, { msg: string }> = {}
  for (const { path, message } of result?.error?.issues ?? []) errors[String(path[0])] ??= { msg: message }
  return errors
}

/**
 * The errors after a field was changed. What was in error is looked at again, and nothing new is said while somebody
 * is still typing. What the server said of another field stands until that field is changed.
 */
export function errorsAfterChange(before: FormErrors, now: FormErrors, changed: string): FormErrors {
  return Object.fromEntries(
    Object.entries(before).flatMap(([name, error]) => {
      const standing = error.server && name !== changed ? error : now[name]
      return standing ? [[name, standing]] : []
    }),
  )
}
