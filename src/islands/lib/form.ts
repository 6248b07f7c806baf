import { type ChangeEvent, type SubmitEvent, useReducer, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type Control, createFormControls, type FieldValue, type FormControls } from './formControls.ts'

/** Props to spread on a field. */
export interface FieldAttributes {
  name: string
  ref: (control: Control | null) => (() => void) | undefined
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => void
  error: string | undefined
}

/** Initial values. Other fields keep the text typed before the script loaded. */
export type InitialValues<S extends z.ZodMiniType> = Readonly<Partial<Record<Name<S>, FieldValue>>>

type Name<S extends z.ZodMiniType> = keyof z.input<S> & string

/**
 * The fields of a form. Values are as typed, and undefined for a field that was never shown or set. Names follow
 * react-hook-form, of which this is a small subset.
 */
export interface FormState<S extends z.ZodMiniType> {
  field: (name: Name<S>) => FieldAttributes
  /** Returns a submit handler that validates and then calls `run`, or `onRefused` if there are errors. */
  handleSubmit: (
    run: (values: z.input<S>) => unknown,
    onRefused?: () => void,
  ) => (event: SubmitEvent<HTMLFormElement>) => void
  /** True from the submission until `run` has ended. */
  pending: boolean
  /** The value of a field. Re-renders when it changes. */
  watch: (name: Name<S>) => FieldValue
  getValues: (name: Name<S>) => FieldValue
  setValue: (name: Name<S>, value: FieldValue) => void
  /** Shows the server's error at a field until the field changes. */
  setError: (name: string, error: { message: string }) => void
  clearErrors: (name: Name<S>) => void
  /** Fills fields that are blank or unchanged. Returns whether it filled any. */
  fill: (values: Readonly<Record<string, FieldValue>>) => boolean
  /** Validates one field now. */
  trigger: (name: Name<S>) => void
  setFocus: (name: Name<S>) => void
  /** Whether the form has shown a field of this name. */
  has: (name: string) => boolean
  /** Resets values and errors. */
  reset: () => void
}

/**
 * The state of a form with uncontrolled fields: it re-renders only when errors or watched fields change. Validates on
 * submit, then revalidates fields with errors on each change. `onChanged` receives all values after each change.
 */
export function useForm<S extends z.ZodMiniType>(
  schema: z.ZodMiniType | undefined,
  initial?: InitialValues<S>,
  onChanged?: (values: Readonly<Record<string, FieldValue>>) => void,
): FormState<S> {
  const [errors, setErrors] = useState<FormErrors>({})
  const [isPending, setPending] = useState(false)
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  const kept = useRef<{
    controls: FormControls
    watched: Set<string>
    refs: Map<string, FieldAttributes['ref']>
  }>(null)
  kept.current ??= { controls: createFormControls(initial), watched: new Set(), refs: new Map() }
  const { controls, watched, refs } = kept.current

  const handleChange = (name: string) => {
    onChanged?.(controls.values())
    if (watched.has(name)) rerender()
    setErrors((before) =>
      Object.keys(before).length === 0
        ? before
        : updateErrors(before, validateValues(schema, controls.values()), name),
    )
  }
  const getRef = (name: string): FieldAttributes['ref'] => {
    const bindControl = (control: Control | null) => {
      if (control === null) return undefined
      const before = controls.get(name)
      controls.attach(name, control)
      if (watched.has(name) && controls.get(name) !== before) rerender()
      return () => controls.detach(name, control)
    }
    // A stable function, or React would detach and attach the control on each render.
    refs.set(name, refs.get(name) ?? bindControl)
    return refs.get(name) ?? bindControl
  }
  const submit = async (run: (values: z.input<S>) => unknown, onRefused?: () => void) => {
    setPending(true)
    // Renders the pending state first, so that its end is visible even if `run` is synchronous.
    await Promise.resolve()
    try {
      const values = controls.values()
      const found = validateValues(schema, values)
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
      ref: getRef(name),
      onChange: () => handleChange(name),
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
      handleChange(name)
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
        handleChange(name)
      }
      return missing.length > 0
    },
    trigger: (name) =>
      setErrors(({ [name]: _, ...others }) => {
        const error = validateValues(schema, controls.values())[name]
        return error ? { ...others, [name]: error } : others
      }),
    setFocus: controls.focus,
    has: controls.has,
    reset: () => {
      controls.reset()
      setErrors({})
      rerender()
    },
  }
}

/** Errors by field name. `server` marks errors that the schema cannot find. */
type FormErrors = Readonly<Record<string, { msg: string; server?: true }>>

/** Validates values. Returns the first error of each field. */
export function validateValues(schema: z.ZodMiniType | undefined, values: unknown): FormErrors {
  const result = schema && z.safeParse(schema, values)
  const errors: Record<string, { msg: string }> = {}
  for (const { path, message } of result?.error?.issues ?? []) errors[String(path[0])] ??= { msg: message }
  return errors
}

/**
 * The errors after a field was changed. Existing errors are updated, but no new ones appear while the user types. A
 * server error stays until its own field changes.
 */
export function updateErrors(before: FormErrors, now: FormErrors, changed: string): FormErrors {
  return Object.fromEntries(
    Object.entries(before).flatMap(([name, error]) => {
      const current = error.server && name !== changed ? error : now[name]
      return current ? [[name, current]] : []
    }),
  )
}
