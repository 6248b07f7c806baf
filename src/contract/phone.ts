import * as z from 'zod/mini'

const PHONE = /^\+(?:\d ?){6,14}\d$/

/** A plus sign and 7 to 15 digits with optional single spaces. */
export function phoneField(empty = 'Phone number is required') {
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.refine((value: string) => value === '' || PHONE.test(value), 'Invalid phone number'),
  )
}
