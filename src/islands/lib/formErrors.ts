import * as z from 'zod/mini'

/** By name of the field, what is wrong with it; `server` says that the schema doesn't know about it. */
export type FormErrors = Readonly<Record<string, { msg: string; server?: true }>>

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
